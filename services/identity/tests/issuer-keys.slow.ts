import { generateKeyPairSync } from "node:crypto";
import type { RequestListener } from "node:http";
import { createGuardedFetch, type GuardedFetch } from "@aiplatform/guarded-fetch";
import { eventually } from "@aiplatform/testkit";
import type { JWK } from "jose";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { maxCredentialLength } from "../src/credentials/access-token.ts";
import { type AccessTokenVerifier, createAccessTokenVerifier } from "../src/credentials/access-token-verifier.ts";
import { CredentialRefusedError } from "../src/credentials/credential-refused-error.ts";
import { createKeysByIssuer } from "../src/credentials/issuer-keys.ts";
import { type Forge, forgeries, signToken } from "./forged-tokens.ts";
import { type LoopbackIssuer, newKey, startLoopbackIssuer } from "./loopback-issuer.ts";
import { type PublishedKeys, publishKeys } from "./published-keys.ts";

const seconds = 1_000;
const minutes = 60 * seconds;
const audience = "https://aiplatform.test";
const reach = { allowedNetworks: ["127.0.0.0/8", "::1/128"], allowHttp: true, maxBytes: 1024 * 1024 };
const outbound = createGuardedFetch({ ...reach, timeoutMs: 10_000 });
/** One that does not keep a test waiting for an issuer that never answers. */
const hasty = createGuardedFetch({ ...reach, timeoutMs: 200 });
afterAll(async () => {
  await outbound[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
});

/** A clock that stands still until it is moved. */
let time: number;
let failures: { issuer: string; error: unknown }[];
let ignored: { keyId: string; why: string }[];
beforeEach(() => {
  time = Date.now();
  failures = [];
  ignored = [];
});

interface Verified {
  issuer: string;
  jwksUri?: string | undefined;
  audience?: string;
}

function verifierOf(trusted: Verified | Verified[], through: GuardedFetch = outbound): AccessTokenVerifier {
  const usual = { organisation: undefined, organisationClaim: "organisation", subjectClaim: "sub" };
  const issuers = [trusted].flat().map((change) => ({
    ...usual,
    audience,
    verifiedEmail: undefined,
    jwksUri: undefined,
    allowHttp: true,
    signIn: undefined,
    ...change,
  }));
  const now = () => new Date(time);
  const keys = createKeysByIssuer(issuers, {
    outbound: through,
    now,
    onFailure: (failure) => failures.push(failure),
    onIgnored: ({ ignored: some }) => ignored.push(...some),
  });
  return createAccessTokenVerifier({ issuers, keys, now });
}

/** A token of this moment. */
function tokenBy(key: JWK, issuer: string): Promise<string> {
  const iat = Math.floor(time / 1000);
  return signToken({ iss: issuer, aud: audience, sub: "ada", organisation: "acme", iat, exp: iat + 60 }, key);
}

describe("the keys of a real issuer", () => {
  let provider: LoopbackIssuer;
  let verifier: AccessTokenVerifier;
  beforeEach(async () => {
    provider = await startLoopbackIssuer([{ subject: "ada", organisation: "acme" }]);
    verifier = verifierOf({ issuer: provider.issuer });
  });
  afterEach(() => provider.stop());

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
    const shown = Array.from({ length: 20 }, (_, index) => (index % 2 ? before : after));
    await expect(Promise.all(shown.map((token) => verifier.verify(token)))).resolves.toHaveLength(20);
    expect(asked()).toBe(2);
  });

  it("serve on while the issuer is down", async () => {
    const token = await provider.token("ada");
    await verifier.verify(token);
    await provider.stop();
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: "ada" });
    expect(failures).toEqual([]);
  });

  it("cannot be asked for while the issuer is down: that is not a bad credential", async () => {
    const token = await provider.token("ada");
    await provider.stop();
    await expect(verifier.verify(token)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
    expect(failures.map(({ issuer }) => issuer)).toEqual([provider.issuer]);
    await provider.resume();
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: "ada" });
  });

  it("are not taken from an issuer that speaks for another", async () => {
    const alias = provider.issuer.replace("127.0.0.1", "localhost");
    const token = await tokenBy(provider.keys[0] ?? {}, alias);
    await expect(verifierOf({ issuer: alias }).verify(token)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
  });

  it("are not fetched over a network that was not allowed", async () => {
    await using closed = createGuardedFetch({ ...reach, allowedNetworks: [], timeoutMs: 5_000 });
    const token = await tokenBy(provider.keys[0] ?? {}, provider.issuer);
    const refused = verifierOf({ issuer: provider.issuer }, closed).verify(token);
    await expect(refused).rejects.toMatchObject({ name: "IssuerUnavailableError" });
    expect(failures[0]?.error).toMatchObject({ name: "AddressRefusedError", refused: "127.0.0.1" });
    expect(provider.requests.size).toBe(0);
  });
});

describe("the keys at an address", () => {
  const parts = new AsyncDisposableStack();
  let keys: [JWK, JWK];
  let published: PublishedKeys;
  let verifier: AccessTokenVerifier;
  beforeEach(async () => {
    keys = [await newKey(), await newKey()];
    published = parts.use(await publishKeys([keys[0]]));
    verifier = verifierOf({ issuer: published.url, jwksUri: published.url }, hasty);
  });
  afterAll(async () => await parts.disposeAsync());

  const verify = async (key: JWK) => await verifier.verify(await tokenBy(key, published.url));
  const unknownKey = { reason: "TOKEN_SIGNATURE" };

  it("serve for an hour in which the issuer is down, and it is asked at most once in ten seconds", async () => {
    const [key] = keys;
    await verify(key);
    published.answer((request) => request.socket.destroy());
    const before = published.asked();
    for (let passed = 0; passed < 60 * minutes; passed += 5 * seconds) {
      time += 5 * seconds;
      await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    }
    const most = (60 * minutes) / (10 * seconds);
    // A request on a connection that is just being closed fails without reaching the issuer.
    await eventually(() => failures.length >= published.asked() - before);
    expect(failures.length).toBeGreaterThan(10);
    expect(failures.length).toBeLessThanOrEqual(most);
  });

  it("are fetched again once the issuer is back, and not believed for more than a day without it", async () => {
    const [key, other] = keys;
    await verify(key);
    published.answer((request) => request.socket.destroy());
    time += 23 * 60 * minutes;
    await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    time += 61 * minutes;
    await expect(verify(key)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
    published.publish([key, other]);
    time += 10 * seconds;
    await expect(verify(other)).resolves.toMatchObject({ subject: "ada" });
  });

  it("are no longer believed 5 minutes after the issuer took them back, even if no token came meanwhile", async () => {
    const [key, other] = keys;
    await verify(key);
    published.publish([other]);
    await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    time += 5 * minutes + 1;
    await expect(verify(key)).rejects.toMatchObject(unknownKey);
    await expect(verify(other)).resolves.toMatchObject({ subject: "ada" });
  });

  it("are asked for once in ten seconds whatever forgers do", async () => {
    const [key] = keys;
    await verify(key);
    const stranger = await newKey();
    const askedAt: number[] = [];
    const start = time;
    for (; time < start + 60 * seconds; time += seconds) {
      const before = published.asked();
      await Promise.all(Array.from({ length: 5 }, () => expect(verify(stranger)).rejects.toMatchObject(unknownKey)));
      for (let more = published.asked() - before; more > 0; more--) askedAt.push((time - start) / seconds);
    }
    expect(askedAt).toEqual([0, 10, 20, 30, 40, 50]);
  });

  it("may be several without an id in the token", async () => {
    const unnamed = keys.map(({ kid: _, ...key }) => key);
    published.publish(unnamed);
    for (const key of unnamed) await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    const { kid: _, ...stranger } = await newKey();
    await expect(verify(stranger)).rejects.toMatchObject(unknownKey);
  });

  it("are ignored one by one when they are weak, and that is told once", async () => {
    const [key] = keys;
    published.publish([{ kty: "RSA", kid: "weak", e: "AQAB", n: "AQAB" }, { ...keys[1], crv: "P-0", kid: "odd" }, key]);
    await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    time += 6 * minutes;
    await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    expect(published.asked()).toBe(2);
    expect(ignored.map(({ keyId }) => keyId)).toEqual(["weak", "odd"]);
  });

  const answers: [string, RequestListener][] = [
    ["an error", (_, response) => void response.writeHead(500).end()],
    ["not found", (_, response) => void response.writeHead(404).end("{}")],
    ["no content", (_, response) => void response.writeHead(204).end()],
    ["a page", (_, response) => void response.end("<html>sign in</html>")],
    ["half of it", (_, response) => void response.end('{"keys":[{"kty":"EC"')],
    ["null", (_, response) => void response.end("null")],
    ["no keys", (_, response) => void response.end('{"keys":[]}')],
    ["5 MB", (_, response) => void response.end(`{"keys":[],"padding":"${"x".repeat(5_000_000)}"}`)],
    ["a redirect", (_, response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
    ["nothing, ever", () => undefined],
    ["a beginning, and no end", (_, response) => void response.write('{"keys":[')],
    ["a closed connection", (request) => request.socket.destroy()],
  ];

  it.each(answers)("cannot be had from an issuer that answers %s, and those at hand serve on", async (_, answer) => {
    const [key] = keys;
    const another = verifierOf({ issuer: published.url, jwksUri: published.url }, hasty);
    await verify(key);
    published.answer(answer);
    const token = await tokenBy(key, published.url);
    await expect(another.verify(token)).rejects.toMatchObject({ name: "IssuerUnavailableError" });
    expect(failures).toHaveLength(1);
    time += 6 * minutes;
    await expect(verify(key)).resolves.toMatchObject({ subject: "ada" });
    expect(failures).toHaveLength(2);
  });

  it.each([
    ["another machine's metadata", "http://169.254.169.254/keys"],
    ["a private network", "https://10.0.0.1/keys"],
    ["a name of this machine", "https://localhost:1/keys"],
    ["a file", "file:///etc/passwd"],
    ["nothing", undefined],
  ])("are not fetched from %s because a discovery document says so", async (_, uri) => {
    const [key] = keys;
    await using closed = createGuardedFetch({ ...reach, allowedNetworks: ["127.0.0.1/32"], timeoutMs: 5_000 });
    published.answer((_request, response) => {
      response.end(JSON.stringify({ issuer: published.url, jwks_uri: uri }));
    });
    const token = await tokenBy(key, published.url);
    const refused = verifierOf({ issuer: published.url }, closed).verify(token);
    await expect(refused).rejects.toMatchObject({ name: "IssuerUnavailableError" });
  });
});

describe("forged tokens", () => {
  it("cause no request at all beyond the one that an unknown key may cause in ten seconds", async () => {
    const [key, otherKey, attackerKey] = [await newKey(), await newKey(), await newKey()];
    const weakKey = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ format: "jwk" });
    await using issuer = await publishKeys([key]);
    await using other = await publishKeys([otherKey, weakKey]);
    await using attacker = await publishKeys([attackerKey]);
    const verifier = verifierOf([
      { issuer: issuer.url, jwksUri: issuer.url },
      { issuer: other.url, jwksUri: other.url, audience: "https://other.test" },
    ]);
    for (const { url } of [issuer, other]) {
      await expect(verifier.verify(await tokenBy(attackerKey, url))).rejects.toThrow();
    }
    const asked = () => [issuer.asked(), other.asked(), attacker.asked()];
    expect(asked()).toEqual([2, 2, 0]);
    const iat = Math.floor(time / 1000);
    const forge: Forge = {
      claims: { iss: issuer.url, aud: audience, sub: "ada", organisation: "acme", iat, exp: iat + 60 },
      key,
      attackerKey,
      attackerUrl: attacker.url,
      otherIssuer: { issuer: other.url, audience: "https://other.test", key: otherKey, weakKey },
      foreignOrganisation: "globex",
      foreignOrganisationId: "globex",
    };
    const refusals = await Promise.all(
      forgeries.map(async ([, , make]) => {
        const token = await make(forge);
        // A token that is too long never comes here; a well-signed token of no member is refused by a later lookup.
        if (token.length > maxCredentialLength) return "CREDENTIAL_MALFORMED";
        const outcome = await verifier.verify(token).catch((error: unknown) => error);
        return outcome instanceof CredentialRefusedError ? outcome.reason : "MEMBER_UNKNOWN";
      }),
    );
    expect(refusals).toEqual(forgeries.map(([, reason]) => reason));
    expect(refusals.length).toBeGreaterThan(80);
    expect(asked()).toEqual([2, 2, 0]);
  });
});
