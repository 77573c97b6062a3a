import { createGuardedFetch } from "@aiplatform/guarded-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readIssuers } from "../src/credentials/issuer.ts";
import { readSignInClients } from "../src/sign-in/sign-in-clients.ts";
import { createSignInProviders } from "../src/sign-in/sign-in-provider.ts";
import { client, type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";

const publicUrl = "https://platform.example";
const secrets = { state: "s", nonce: "n", codeVerifier: "v".repeat(43) };

let provider: ScriptedProvider;
let time = Date.now();
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  provider = cleanUp.use(await startScriptedProvider());
});
afterAll(() => cleanUp.disposeAsync());

function signInAt(issuer: string) {
  const limits = { timeoutMs: 5_000, maxBytes: 65_536, allowHttp: true };
  const outbound = cleanUp.use(createGuardedFetch({ allowedNetworks: ["127.0.0.0/8"], ...limits }));
  const signIn = { id: "work", name: "Work", client_id: client.id };
  const clients = readSignInClients({
    OIDC_ISSUERS: readIssuers([{ issuer, audience: "a", allow_http: true, sign_in: signIn }]),
    OIDC_CLIENT_SECRETS: JSON.stringify({ work: client.secret }),
    PUBLIC_URL: publicUrl,
  });
  const surroundings = { keys: new Map(), clock: () => new Date(time), publicUrl };
  return createSignInProviders(clients, { outbound, ...surroundings }).get("work");
}

describe("a provider whose sign-in page has moved", () => {
  const minutes = (count: number) => {
    time += count * 60_000;
  };
  const pathOf = (url: string | undefined) => new URL(url ?? "").pathname;

  it("is asked where it is when that is known for more than five minutes, and not before", async () => {
    const signIn = signInAt(provider.issuer);
    expect(pathOf(await signIn?.authorizationUrl(secrets))).toBe("/authorize");
    provider.metadata = { authorization_endpoint: `${provider.issuer}/moved` };
    minutes(4);
    expect(pathOf(await signIn?.authorizationUrl(secrets))).toBe("/authorize");
    minutes(2);
    expect(pathOf(await signIn?.authorizationUrl(secrets))).toBe("/moved");
  });

  it("leaves what was known in use while it does not say where it is", async () => {
    const signIn = signInAt(provider.issuer);
    expect(pathOf(await signIn?.authorizationUrl(secrets))).toBe("/moved");
    provider.metadata = { issuer: "https://elsewhere.example" };
    minutes(6);
    expect(pathOf(await signIn?.authorizationUrl(secrets))).toBe("/moved");
  });
});
