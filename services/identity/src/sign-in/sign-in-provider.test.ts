import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readIssuers } from "../credentials/issuer.ts";
import { ProviderTimeoutError } from "../oauth-client/provider-errors.ts";
import { readSignInClients } from "./sign-in-clients.ts";
import { createSignInProviders } from "./sign-in-provider.ts";

describe("a provider that never answers, and whose requests do not end by themselves", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("holds a browser that comes back for less than ten seconds", async () => {
    const signIn = { id: "work", name: "Work", client_id: "us" };
    const clients = readSignInClients({
      OIDC_ISSUERS: readIssuers([{ issuer: "https://id.example.com", audience: "a", sign_in: signIn }]),
      OIDC_CLIENT_SECRETS: '{"work":"a client secret"}',
      PUBLIC_URL: "https://platform.example",
    });
    const outbound = () => new Promise<never>(() => {});
    const surroundings = { keys: new Map(), clock: () => new Date(), publicUrl: "https://platform.example" };
    const provider = createSignInProviders(clients, { outbound, ...surroundings }).get("work");
    const secrets = { state: "s", nonce: "n", codeVerifier: "v" };
    const outcome = provider?.exchange({ code: "c", iss: "", error: "" }, secrets).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(await outcome).toBeInstanceOf(ProviderTimeoutError);
  });
});
