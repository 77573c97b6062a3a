import { createPublicKey, verify } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessToken } from "../src/fakes/oidc/access-token.ts";
import { startFakeOidc } from "../src/fakes/oidc/fake-oidc.ts";
import type { OidcIdentity } from "../src/fakes/oidc/oidc-identity.ts";
import { freePort } from "../src/infra/ports/free-port.ts";
import { keepSecrets } from "../src/launcher/secrets.ts";

const issuer = "http://127.0.0.1:50080";
let directory: string;
let identity: OidcIdentity;
let server: Server;
let address: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "provider-"));
  const { identityProvider } = await keepSecrets(directory, issuer, ["demo", "foreign"]);
  identity = JSON.parse(await readFile(identityProvider, "utf8"));
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const redirectUri = "http://127.0.0.1:1/callback";
  server = await startFakeOidc(identity, { host: "127.0.0.1", port }, { secret: "of the console", redirectUri });
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true, force: true });
});

const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

describe("an access token of the fake identity provider", () => {
  it.each(["demo", "foreign"])("names its issuer, audience, subject and the organisation %s", async (organisation) => {
    const client = identity.clients.find((each) => each.organisation === organisation);
    if (!client) throw new Error("no such client");
    const [, payload] = (await accessToken(address, client)).split(".");
    expect(decoded(payload)).toMatchObject({
      iss: issuer,
      aud: "aiplatform",
      sub: `${organisation}-administrator`,
      organisation,
    });
  });

  it("is signed with a key that the provider publishes", async () => {
    const [client] = identity.clients;
    if (!client) throw new Error("no client");
    const [header, payload, signature = ""] = (await accessToken(address, client)).split(".");
    const { keys } = JSON.parse(await (await fetch(`${address}/jwks`)).text());
    const key = keys.find(({ kid }: { kid: string }) => kid === decoded(header).kid);
    const publicKey = createPublicKey({ key, format: "jwk" });
    const signed = Buffer.from(`${header}.${payload}`);
    const encoding = { key: publicKey, dsaEncoding: "ieee-p1363" as const };
    expect(verify("sha256", signed, encoding, Buffer.from(signature, "base64url"))).toBe(true);
    expect(key.d).toBeUndefined();
  });

  it("is not given for a wrong secret", async () => {
    const wrong = { id: "demo-administrator", secret: "wrong", organisation: "demo" };
    await expect(accessToken(address, wrong)).rejects.toThrow("the identity provider gave no token");
  });
});

describe("the secrets of an installation", () => {
  it("are found again, and readable by their owner alone", async () => {
    const { serviceKeys, ...files } = await keepSecrets(directory, "http://127.0.0.1:1", []);
    expect(JSON.parse(await readFile(files.identityProvider, "utf8"))).toEqual(identity);
    for (const path of Object.values(files)) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("are added to those of an earlier version, which stay", async () => {
    const { identityProvider, socialClient, ...rings } = await keepSecrets(directory, issuer, []);
    const keyRings = [rings.secretsKeys, rings.deploymentsSecretsKeys];
    for (const path of [socialClient, ...keyRings]) await rm(path);
    await keepSecrets(directory, issuer, []);
    expect(JSON.parse(await readFile(identityProvider, "utf8"))).toEqual(identity);
    expect(JSON.parse(await readFile(socialClient, "utf8"))).toMatchObject({ clientId: "aiplatform" });
    const keys = await Promise.all(keyRings.map(async (path) => JSON.parse(await readFile(path, "utf8"))));
    expect(keys).toEqual(
      Array.from(keyRings, () => [{ id: "local", key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) }]),
    );
    expect(keys[0]).not.toEqual(keys[1]);
  });
});
