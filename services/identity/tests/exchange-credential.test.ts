import { randomBytes } from "node:crypto";
import { createContextVerifier } from "@aiplatform/caller-identity";
import { eventually, failureOf } from "@aiplatform/testkit";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../src/api-keys/api-key.ts";
import { type IdentityClients, type IdentityRig, operatorKey, startIdentityRig } from "./identity-rig.ts";

describe("exchanging a credential", () => {
  let rig: IdentityRig;
  let anonymous: IdentityClients;
  let adasToken: string;
  let acmesKey: string;
  beforeAll(async () => {
    rig = await startIdentityRig();
    anonymous = rig.as({});
    adasToken = await rig.provider.token("ada");
    acmesKey = rig.acme.apiKeySecret;
  });
  afterAll(async () => await rig[Symbol.asyncDispose]());

  const exchange = (shown: { bearer?: string; apiKey?: string }) => anonymous.credentials.exchangeCredential(shown);
  const verifier = () => {
    const jwks = async () => (await anonymous.credentials.getVerificationKeys({})).jwks;
    return createContextVerifier({ jwks, now: () => new Date() });
  };

  describe("an access token of a member", () => {
    it("becomes the member with the permissions of their roles", async () => {
      const { caller } = await exchange({ bearer: adasToken });
      expect(caller).toMatchObject({
        organisationId: rig.acme.organisation?.id,
        memberId: rig.acme.administrator?.id,
        credentialId: `${rig.provider.issuer} ada`,
      });
      expect(caller?.permissions).toEqual(expect.arrayContaining(["members:manage", "training:override"]));
      expect(caller?.permissions).not.toContain("organisations:manage");
    });

    it("becomes a signed context that every service can verify, for a minute at most", async () => {
      const { signedContext, caller } = await exchange({ bearer: adasToken });
      const verified = await verifier().verify(signedContext, ["content"]);
      expect(verified.organisationId).toBe(rig.acme.organisation?.id);
      expect([...verified.permissions]).toEqual(caller?.permissions);
      if (!caller?.expiresAt) throw new Error("the context has no end");
      expect(timestampDate(caller.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    });

    it("opens nothing when its subject is no member", async () => {
      const failure = await failureOf(exchange({ bearer: await rig.provider.token("mallory") }));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason: "MEMBER_UNKNOWN" });
    });

    it("is not an API key", async () => {
      const failure = await failureOf(exchange({ apiKey: adasToken }));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_MALFORMED" });
    });
  });

  describe("an API key", () => {
    it.each(["bearer", "apiKey"] as const)("acts for itself, shown as %s", async (place) => {
      const { caller } = await exchange({ [place]: acmesKey });
      expect(caller?.organisationId).toBe(rig.acme.organisation?.id);
      expect(caller?.credentialId).toBe(rig.acme.apiKey?.id);
      expect(caller?.memberId).toBeUndefined();
      expect(caller?.permissions).toEqual(rig.acme.apiKey?.permissionIds);
    });

    it("is told apart from what never was a key", async () => {
      const last = acmesKey.endsWith("a") ? "b" : "a";
      const typo = await failureOf(exchange({ apiKey: acmesKey.slice(0, -1) + last }));
      expect(typo).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_MALFORMED" });
    });

    it("is unknown to an installation that did not make it", async () => {
      const failure = await failureOf(exchange({ bearer: generateApiKey(randomBytes) }));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_UNKNOWN" });
    });

    it("notes to the minute when it was used", async () => {
      await exchange({ apiKey: acmesKey });
      const { apiKeys } = rig.as({ apiKey: acmesKey });
      const lastUse = async () => (await apiKeys.listApiKeys({})).apiKeys[0]?.lastUsedAt;
      await eventually(async () => (await lastUse()) !== undefined);
      const seen = (await lastUse()) ?? timestampFromMs(0);
      expect(timestampDate(seen).getTime() % 60_000).toBe(0);
      expect(Date.now() - timestampDate(seen).getTime()).toBeLessThan(120_000);
    });
  });

  describe("the operator's key", () => {
    it("belongs to no organisation and can only make some", async () => {
      const { caller } = await exchange({ bearer: operatorKey });
      expect(caller).toMatchObject({ organisationId: "", permissions: ["organisations:manage"] });
    });

    it("opens nothing when it is cut short", async () => {
      const failure = await failureOf(exchange({ bearer: operatorKey.slice(0, -1) }));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_MALFORMED" });
    });
  });

  describe("a token with a key beside it", () => {
    it("acts for the token's member, with the permissions that both hold", async () => {
      const { apiKeys } = rig.as({ bearer: adasToken });
      const narrow = await apiKeys.createApiKey({ name: "narrow", permissionIds: ["metrics:read"] });
      const { caller } = await exchange({ bearer: adasToken, apiKey: narrow.secret });
      expect(caller).toMatchObject({
        memberId: rig.acme.administrator?.id,
        permissions: ["metrics:read"],
        credentialId: `${rig.provider.issuer} ada ${narrow.apiKey?.id}`,
      });
    });

    it.each([
      ["the key is another organisation's", () => ({ bearer: adasToken, apiKey: rig.globex.apiKeySecret })],
      [
        "the token is another organisation's",
        async () => ({ bearer: await rig.provider.token("hank"), apiKey: acmesKey }),
      ],
      ["the bearer is the operator's", () => ({ bearer: operatorKey, apiKey: acmesKey })],
      ["the key is the operator's", () => ({ bearer: adasToken, apiKey: operatorKey })],
    ])("opens nothing when %s", async (_, shown) => {
      const failure = await failureOf(exchange(await shown()));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIALS_DISAGREE" });
    });

    it.each([
      ["the key is bad", () => ({ bearer: adasToken, apiKey: "nonsense" })],
      ["the token is bad", () => ({ bearer: `${adasToken}x`, apiKey: acmesKey })],
      ["both are bad", () => ({ bearer: "x", apiKey: "y" })],
    ])("is not believed in half when %s", async (_, shown) => {
      expect((await failureOf(exchange(shown()))).code).toBe(Code.Unauthenticated);
    });
  });

  describe("nothing", () => {
    it("opens nothing", async () => {
      expect(await failureOf(exchange({}))).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_MISSING" });
    });
  });

  describe("at identity's own door", () => {
    it.each([
      ["a token", () => ({ bearer: adasToken })],
      ["a key as bearer", () => ({ bearer: acmesKey })],
      ["a key in its own header", () => ({ apiKey: acmesKey })],
      ["both", () => ({ bearer: adasToken, apiKey: acmesKey })],
    ])("%s is enough", async (_, shown) => {
      const { organisation } = await rig.as(shown()).organisations.getOrganisation({});
      expect(organisation).toEqual(rig.acme.organisation);
    });

    it.each([
      ["nothing", () => ({}), "CREDENTIAL_MISSING"],
      ["a bad key", () => ({ apiKey: "nonsense" }), "CREDENTIAL_MALFORMED"],
      ["a good token beside a bad key", () => ({ bearer: adasToken, apiKey: "nonsense" }), "CREDENTIAL_MALFORMED"],
    ])("%s is not", async (_, shown, reason) => {
      const failure = await failureOf(rig.as(shown()).organisations.getOrganisation({}));
      expect(failure).toMatchObject({ code: Code.Unauthenticated, reason });
    });
  });
});

describe("while the issuer is down", () => {
  it("tokens are neither believed nor called bad until its keys are known, and believed from then on", async () => {
    await using rig = await startIdentityRig();
    const { credentials } = rig.as({});
    const bearer = await rig.provider.token("ada");
    await rig.provider.stop();
    const failure = await failureOf(credentials.exchangeCredential({ bearer }, { timeoutMs: 10_000 }));
    expect(failure).toMatchObject({ code: Code.Unavailable, reason: "ISSUER_UNAVAILABLE" });
  });

  it("tokens signed with keys that are known are exchanged as before", async () => {
    await using rig = await startIdentityRig();
    const { credentials } = rig.as({});
    const bearer = await rig.provider.token("ada");
    await credentials.exchangeCredential({ bearer });
    await rig.provider.stop();
    await expect(credentials.exchangeCredential({ bearer })).resolves.toMatchObject({
      caller: { memberId: rig.acme.administrator?.id },
    });
  });
});

describe("when the issuer rotates its keys", () => {
  it("no request fails", async () => {
    await using rig = await startIdentityRig();
    const { credentials } = rig.as({});
    const before = await rig.provider.token("ada");
    await credentials.exchangeCredential({ bearer: before });
    await rig.provider.rotate();
    const after = await rig.provider.token("ada");
    const shown = Array.from({ length: 20 }, (_, index) => (index % 2 ? before : after));
    const answers = await Promise.all(shown.map((bearer) => credentials.exchangeCredential({ bearer })));
    expect(answers.map(({ caller }) => caller?.memberId)).toEqual(shown.map(() => rig.acme.administrator?.id));
  });
});
