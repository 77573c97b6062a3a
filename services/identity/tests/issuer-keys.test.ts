import { createGuardedFetch } from "@aiplatform/guarded-fetch";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type AccessTokenVerifier, createAccessTokenVerifier } from "../src/credentials/access-token-verifier.ts";
import { eventually } from "./eventually.ts";
import { signToken } from "./forged-tokens.ts";
import { type LoopbackIssuer, newKey, startLoopbackIssuer } from "./loopback-issuer.ts";
import { publishKeys } from "./published-keys.ts";

const minutes = 60_000;
const loopback = { allowedNetworks: ["127.0.0.0/8", "::1/128"], allowHttp: true };
const outbound = createGuardedFetch({ ...loopback, timeoutMs: 10_000, maxBytes: 1024 * 1024 });
afterAll(async () => await outbound[Symbol.asyncDispose]());

describe("the keys of a real issuer", () => {
  let provider: LoopbackIssuer;
  let clockAheadMs: number;
  let failures: string[];
  let ignored: { keyId: string; why: string }[];
  let verifier: AccessTokenVerifier;

  beforeEach(async () => {
    provider = await startLoopbackIssuer([{ subject: "ada", organisation: "acme" }]);
    clockAheadMs = 0;
    failures = [];
    ignored = [];
    verifier = verifierOf({ issuer: provider.issuer });
  });
  afterEach(() => provider.stop());

  const verifierOf = (change: { issuer: string; jwksUri?: string }) =>
    createAccessTokenVerifier({
      issuers: [
        {
          audience: provider.audience,
          organisation: undefined,
          organisationClaim: "organisation",
          subjectClaim: "sub",
          verifiedEmail: undefined,
          jwksUri: undefined,
          allowHttp: true,
          ...change,
        },
      ],
      now: () => new Date(Date.now() + clockAheadMs),
      outbound,
      onFailure: ({ issuer }) => failures.push(issuer),
      onIgnored: ({ ignored: keys }) => ignored.push(...keys),
    });
  const asked = () => provider.requests.get("/jwks") ?? 0;

  it("are fetched once for many tokens", async () => {
    const token = await provider.token("ada");
    const verified = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)));
    expect(verified).toHaveLength(20);
    expect(asked()).toBe(1);
  });

  it("are exchanged without a failed request, and without a pause, when the issuer rotates them", async () => {
    const before = await provider.token("ada");
    await verifier.verify(before);
    await provider.rotate();
    const after = await provider.token("ada");
    await expect(
      Promise.all([verifier.verify(after), verifier.verify(before), verifier.verify(after)]),
    ).resolves.toHaveLength(3);
    expect(asked()).toBe(2);
  });

  it("serve on while the issuer is down", async () => {
    const token = await provider.token("ada");
    await verifier.verify(token);
    await provider.stop();
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: "ada" });
    expect(failures).toEqual([]);
  });

  it("are fetched again beside the requests once they are old, and serve on when that fails", async () => {
    const [key] = provider.keys;
    const iat = Math.floor(Date.now() / 1000) + 6 * 60;
    const claims = {
      iss: provider.issuer,
      aud: provider.audience,
      sub: "ada",
      organisation: "acme",
      iat,
      exp: iat + 60,
    };
    const later = await signToken(claims, key ?? {});
    await verifier.verify(await provider.token("ada"));
    await provider.stop();
    clockAheadMs = 6 * minutes;
    await expect(verifier.verify(later)).resolves.toMatchObject({ subject: "ada" });
    await eventually(() => failures.length > 0);
    await expect(verifier.verify(later)).resolves.toMatchObject({ subject: "ada" });
  });

  it("cannot be asked for while the issuer is down: that is nobody's bad credential", async () => {
    const token = await provider.token("ada");
    await provider.stop();
    await expect(verifier.verify(token)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
    expect(failures).toEqual([provider.issuer]);
    await provider.resume();
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: "ada" });
  });

  it("are not asked for at the will of a forger", async () => {
    await verifier.verify(await provider.token("ada"));
    const iat = Math.floor(Date.now() / 1000);
    const claims = {
      iss: provider.issuer,
      aud: provider.audience,
      sub: "ada",
      organisation: "acme",
      iat,
      exp: iat + 60,
    };
    for (let attempt = 0; attempt < 20; attempt++) {
      const forged = await signToken(claims, await newKey());
      await expect(verifier.verify(forged)).rejects.toMatchObject({ reason: "TOKEN_SIGNATURE" });
    }
    expect(asked()).toBe(2);
  });

  it("may be several without an id in the token", async () => {
    const keys = [await newKey(), await newKey()].map(({ kid: _, ...key }) => key);
    await using published = await publishKeys(keys);
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: published.url, aud: provider.audience, sub: "ada", organisation: "acme", iat, exp: iat + 60 };
    const several = verifierOf({ issuer: published.url, jwksUri: published.url });
    for (const key of keys) {
      await expect(several.verify(await signToken(claims, key))).resolves.toMatchObject({ subject: "ada" });
    }
    const { kid: _, ...stranger } = await newKey();
    await expect(several.verify(await signToken(claims, stranger))).rejects.toMatchObject({
      reason: "TOKEN_SIGNATURE",
    });
  });

  it("are not taken from an issuer that speaks for another", async () => {
    const alias = provider.issuer.replace("127.0.0.1", "localhost");
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: alias, aud: provider.audience, sub: "ada", organisation: "acme", iat, exp: iat + 60 };
    const token = await signToken(claims, provider.keys[0] ?? {});
    await expect(verifierOf({ issuer: alias }).verify(token)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
  });
});
