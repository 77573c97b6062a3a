import { generateKeyPairSync } from "node:crypto";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Forge, forgeries, genuineToken } from "./forged-tokens.ts";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { newKey } from "./loopback-issuer.ts";
import { type PublishedKeys, publishKeys } from "./published-keys.ts";

describe("a token with", () => {
  const parts = new AsyncDisposableStack();
  let rig: IdentityRig;
  let anonymous: IdentityClients;
  let forge: Forge;
  let attacker: PublishedKeys;
  let other: PublishedKeys;
  let startedAt: number;
  beforeAll(async () => {
    const otherKey = await newKey();
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ format: "jwk" });
    const weakKey = { ...short, kid: "weak", alg: "RS256" };
    other = parts.use(await publishKeys([otherKey, weakKey]));
    attacker = parts.use(await publishKeys([]));
    const otherIssuer = { issuer: other.url, audience: "https://other-audience.test" };
    rig = parts.use(
      await startIdentityRig({ otherIssuers: [{ ...otherIssuer, jwks_uri: other.url, allow_http: true }] }),
    );
    anonymous = rig.as({});
    startedAt = performance.now();
    const iat = Math.floor(Date.now() / 1000);
    const named = { iss: rig.provider.issuer, aud: rig.provider.audience, sub: "ada", organisation: "acme" };
    forge = {
      claims: { ...named, iat, exp: iat + 600 },
      key: rig.provider.keys[0] ?? {},
      attackerKey: await newKey(),
      attackerUrl: attacker.url,
      otherIssuer: { ...otherIssuer, key: otherKey, weakKey },
      foreignOrganisation: "globex",
      foreignOrganisationId: rig.globex.organisation?.id ?? "",
    };
  });
  afterAll(() => parts.disposeAsync());

  it("nothing forged is accepted: what follows is refused for the forgery alone", async () => {
    const { caller } = await anonymous.credentials.exchangeCredential({ bearer: await genuineToken(forge) });
    expect(caller?.memberId).toBe(rig.acme.administrator?.id);
  });

  it.each(forgeries)("%s is refused: %s", async (_, reason, make) => {
    const bearer = await make(forge);
    const failure = await failureOf(anonymous.credentials.exchangeCredential({ bearer }));
    expect(failure).toMatchObject({ code: Code.Unauthenticated, reason });
    expect(failure.message).not.toContain(rig.provider.issuer);
  });

  it("a forgery sends us nowhere: no address in a token was asked", () => {
    expect(attacker.asked()).toBe(0);
  });

  it("a forgery sends us nowhere: the issuers were asked once in ten seconds at most, and then for their keys", () => {
    const elapsed = performance.now() - startedAt;
    const most = 2 + Math.floor(elapsed / 10_000);
    expect([...rig.provider.requests.keys()].sort()).toEqual(["/.well-known/openid-configuration", "/jwks"]);
    expect(rig.provider.requests.get("/jwks")).toBeLessThanOrEqual(most);
    expect(other.asked()).toBeLessThanOrEqual(most);
  });

  it("a forgery opens no other door either", async () => {
    const shown = await Promise.all(forgeries.map(([, , make]) => make(forge)));
    // What no header can carry never arrives.
    for (const bearer of shown.filter((token) => token.length <= 8_000 && !token.includes("\n"))) {
      const failure = await failureOf(rig.as({ bearer }).organisations.getOrganisation({}));
      expect(failure.code).toBe(Code.Unauthenticated);
    }
  });
});
