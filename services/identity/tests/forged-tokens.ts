import { createHmac, createPrivateKey, createPublicKey, createSign, sign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { CompactEncrypt, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { newKey } from "./loopback-issuer.ts";

/** What a forger has to work with: here everything, so that only the forgery itself is wrong. */
export interface Forge {
  /** Claims of a token that would be accepted. */
  claims: JWTPayload & { iss: string; iat: number; exp: number };
  /** The issuer's own private key. */
  key: JWK;
  /** A key that no issuer published. */
  attackerKey: JWK;
  /** An address that counts who asks it. */
  attackerUrl: string;
  /** Another trusted issuer, with a key of its own. */
  otherIssuer: { issuer: string; audience: string; key: JWK; weakKey: JWK };
  /** Slug and id of an organisation of whom the claims' subject is no member. */
  foreignOrganisation: string;
  foreignOrganisationId: string;
}

type Header = Record<string, unknown>;

/** One forgery: what it is, the reason it is refused for, how it is made. */
export type Forgery = [what: string, reason: string, make: (forge: Forge) => Promise<string> | string];

/** A token with these claims, signed by this key. */
export async function signToken(claims: JWTPayload, key: JWK, header: Header = {}): Promise<string> {
  const { alg = "ES256", kid } = key;
  const protectedHeader = { alg, typ: "at+jwt", ...(kid ? { kid } : {}), ...header };
  return await new SignJWT(claims).setProtectedHeader(protectedHeader).sign(await importJWK(key, protectedHeader.alg));
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function unsigned({ claims }: Forge, header: Header, signature = ""): string {
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

function withMac({ claims, key }: Forge, secret: string | Buffer, alg: "HS256" | "HS512" = "HS256"): string {
  const text = `${encode({ alg, typ: "at+jwt", kid: key.kid })}.${encode(claims)}`;
  return `${text}.${createHmac(alg.replace("HS", "sha"), secret).update(text).digest("base64url")}`;
}

function publicPart(key: JWK): JWK {
  const { d: _, ...rest } = key;
  return rest;
}

function spki(key: JWK, format: "pem" | "der"): string | Buffer {
  const publicKey = createPublicKey({ key: { ...publicPart(key) }, format: "jwk" });
  return format === "pem"
    ? publicKey.export({ type: "spki", format: "pem" })
    : publicKey.export({ type: "spki", format: "der" });
}

/** Header and payload exactly as they are written, well signed by the issuer: only the text is wrong. */
function signedText({ key }: Forge, header: string, payload: string): string {
  const text = `${Buffer.from(header).toString("base64url")}.${Buffer.from(payload).toString("base64url")}`;
  return `${text}.${es256(text, key)}`;
}

function es256(text: string, key: JWK): string {
  const privateKey = createPrivateKey({ key: { ...key }, format: "jwk" });
  return sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** A header and the usual claims, well signed by the issuer. */
function signedHeader(f: Forge, header: Header): string {
  return signedText(
    f,
    JSON.stringify({ alg: "ES256", typ: "at+jwt", kid: f.key.kid, ...header }),
    JSON.stringify(f.claims),
  );
}

function without(claims: JWTPayload, claim: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
}

const signatures: Forgery[] = [
  ["alg none", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "none", typ: "at+jwt" })],
  ["alg None", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "None", typ: "at+jwt" })],
  ["alg nOnE with a signature", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "nOnE", typ: "at+jwt" }, "AAAA")],
  ["no alg", "CREDENTIAL_MALFORMED", (f) => unsigned(f, { typ: "at+jwt" }, "AAAA")],
  ["HS256 with the public key as PEM", "TOKEN_SIGNATURE", (f) => withMac(f, spki(f.key, "pem"))],
  ["HS256 with the public key as DER", "TOKEN_SIGNATURE", (f) => withMac(f, spki(f.key, "der"))],
  ["HS256 with the public key as JWK", "TOKEN_SIGNATURE", (f) => withMac(f, JSON.stringify(publicPart(f.key)))],
  ["HS256 with an empty secret", "TOKEN_SIGNATURE", (f) => withMac(f, "")],
  ["HS512 with the public key as PEM", "TOKEN_SIGNATURE", (f) => withMac(f, spki(f.key, "pem"), "HS512")],
  ["RS256 claimed for an EC key", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "RS256", kid: f.key.kid }, "AAAA")],
  [
    "an all-zero ES256 signature",
    "TOKEN_SIGNATURE",
    (f) => unsigned(f, { alg: "ES256", typ: "at+jwt", kid: f.key.kid }, Buffer.alloc(64).toString("base64url")),
  ],
  ["EdDSA claimed for an EC key", "TOKEN_SIGNATURE", (f) => signedHeader(f, { alg: "EdDSA" })],
  ["an algorithm in lower case", "TOKEN_SIGNATURE", (f) => signedHeader(f, { alg: "es256" })],
  ["an unknown algorithm", "TOKEN_SIGNATURE", (f) => signedHeader(f, { alg: "ES257" })],
  ["a list of algorithms", "CREDENTIAL_MALFORMED", (f) => signedHeader(f, { alg: ["ES256"] })],
  ["a signature as DER", "TOKEN_SIGNATURE", (f) => signedAsDer(f)],
  ["no signature", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "ES256", typ: "at+jwt", kid: f.key.kid })],
  ["a signature cut short", "TOKEN_SIGNATURE", async (f) => (await signToken(f.claims, f.key)).slice(0, -8)],
  [
    "another payload under a good signature",
    "TOKEN_SIGNATURE",
    async (f) => {
      const [header, , signature] = (await signToken(f.claims, f.key)).split(".");
      return `${header}.${encode({ ...f.claims, sub: "root" })}.${signature}`;
    },
  ],
  ["an unknown key", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey)],
  [
    "an unknown key under a known id",
    "TOKEN_SIGNATURE",
    (f) => signToken(f.claims, { ...f.attackerKey, kid: f.key.kid ?? "" }),
  ],
  [
    "a key id that is a path",
    "TOKEN_SIGNATURE",
    (f) => signToken(f.claims, { ...f.attackerKey, kid: "../../../dev/null" }),
  ],
  ["a key id that is a query", "TOKEN_SIGNATURE", (f) => signToken(f.claims, { ...f.attackerKey, kid: "' OR 1=1 --" })],
  [
    "a key id that is an address",
    "TOKEN_SIGNATURE",
    (f) => signToken(f.claims, { ...f.attackerKey, kid: f.attackerUrl }),
  ],
  ["a key id that is an operator", "TOKEN_SIGNATURE", (f) => unsigned(f, { alg: "ES256", kid: { $ne: "" } }, "AAAA")],
  ["a key id without end", "TOKEN_SIGNATURE", (f) => signToken(f.claims, { ...f.attackerKey, kid: "k".repeat(5_000) })],
  ["an algorithm outside the list", "TOKEN_SIGNATURE", async (f) => signToken(f.claims, await newKey("ES384"))],
  ["a key that is too short", "TOKEN_SIGNATURE", (f) => weaklySigned(f)],
  [
    "the key of another trusted issuer",
    "TOKEN_SIGNATURE",
    (f) => signToken(f.claims, { ...f.otherIssuer.key, kid: f.otherIssuer.key.kid ?? "" }),
  ],
];

const headers: Forgery[] = [
  ["an embedded key", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey, { jwk: publicPart(f.attackerKey) })],
  ["an address of keys", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey, { jku: f.attackerUrl })],
  ["an address of a certificate", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey, { x5u: f.attackerUrl })],
  ["an embedded certificate", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey, { x5c: ["MIIB"] })],
  ["a thumbprint of a certificate", "TOKEN_SIGNATURE", (f) => signToken(f.claims, f.attackerKey, { x5t: "AAAA" })],
  ["an unknown critical extension", "TOKEN_SIGNATURE", (f) => signedHeader(f, { crit: ["exp"], exp: 1 })],
  ["a critical extension that is not there", "TOKEN_SIGNATURE", (f) => signedHeader(f, { crit: ["gone"] })],
  ["no critical extensions in their list", "CREDENTIAL_MALFORMED", (f) => signedHeader(f, { crit: [] })],
  ["an unencoded payload", "CREDENTIAL_MALFORMED", (f) => signedHeader(f, { crit: ["b64"], b64: false })],
  [
    "a member twice in its header",
    "CREDENTIAL_MALFORMED",
    (f) => signedText(f, `{"alg":"none","alg":"ES256","kid":"${f.key.kid}","typ":"at+jwt"}`, JSON.stringify(f.claims)),
  ],
  [
    "a member twice in its payload",
    "CREDENTIAL_MALFORMED",
    (f) =>
      signedText(
        f,
        JSON.stringify({ alg: "ES256", kid: f.key.kid }),
        `{"sub":"root",${JSON.stringify(f.claims).slice(1)}`,
      ),
  ],
  ["a compressed payload", "CREDENTIAL_MALFORMED", (f) => deflated(f, Buffer.from(JSON.stringify(f.claims)))],
  ["a compressed payload of 10 MB", "CREDENTIAL_MALFORMED", (f) => deflated(f, Buffer.alloc(10_000_000, "x"))],
  ["the type of a proof of possession", "CREDENTIAL_MALFORMED", (f) => signedHeader(f, { typ: "dpop+jwt" })],
  ["the type of a caller's context", "CREDENTIAL_MALFORMED", (f) => signedHeader(f, { typ: "caller-context+jwt" })],
  ["the type of another token", "CREDENTIAL_MALFORMED", (f) => signToken(f.claims, f.key, { typ: "logout+jwt" })],
  [
    "the marks of an id token",
    "CREDENTIAL_MALFORMED",
    (f) => signToken({ ...f.claims, nonce: "n" }, f.key, { typ: "JWT" }),
  ],
  [
    "encryption instead of a signature",
    "CREDENTIAL_MALFORMED",
    async (f) =>
      await new CompactEncrypt(Buffer.from(JSON.stringify(f.claims)))
        .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM" })
        .encrypt(await importJWK(publicPart(f.key), "ECDH-ES")),
  ],
];

const claims: Forgery[] = [
  ["a list of other audiences", "TOKEN_AUDIENCE", (f) => signedRaw(f, { aud: ["https://a.test", "https://b.test"] })],
  ["an empty list of audiences", "TOKEN_AUDIENCE", (f) => signedRaw(f, { aud: [] })],
  ["an audience that begins alike", "TOKEN_AUDIENCE", (f) => signedRaw(f, { aud: `${String(f.claims.aud)}/` })],
  ["an audience that is an object", "TOKEN_AUDIENCE", (f) => signedRaw(f, { aud: { $ne: "" } })],
  ["a list of issuers", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { iss: [f.claims.iss] })],
  ["an issuer in capitals", "TOKEN_ISSUER", (f) => signedRaw(f, { iss: f.claims.iss.toUpperCase() })],
  ["an end before the Flood", "CREDENTIAL_EXPIRED", (f) => signedRaw(f, { exp: -1e9 })],
  ["an end in the far future", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { exp: f.claims.iat + 4e8 })],
  ["an end beyond all calendars", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { exp: 1e300 })],
  ["a time of issue before the Flood", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { iat: -1e12 })],
  ["a time of issue that is a text", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { iat: "now" })],
  ["a start that is a text", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { nbf: "now" })],
  ["the marks of an id token of the code flow", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { at_hash: "x" })],
  ["the marks of a log-out", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { events: {} })],
  ["the marks of a refresh token", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { typ: "Refresh" })],
  ["the use of an id token", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { token_use: "id" })],
  ["an empty subject", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { sub: "" })],
  ["an endless subject", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { sub: "s".repeat(5_000) })],
  ["the id of another organisation", "MEMBER_UNKNOWN", (f) => signedRaw(f, { organisation: f.foreignOrganisationId })],
  ["another audience", "TOKEN_AUDIENCE", (f) => signToken({ ...f.claims, aud: "https://other.test" }, f.key)],
  ["no audience", "TOKEN_AUDIENCE", (f) => signToken(without(f.claims, "aud"), f.key)],
  [
    "the audience of another issuer",
    "TOKEN_AUDIENCE",
    (f) => signToken({ ...f.claims, aud: f.otherIssuer.audience }, f.key),
  ],
  ["an untrusted issuer", "TOKEN_ISSUER", (f) => signToken({ ...f.claims, iss: f.attackerUrl }, f.attackerKey)],
  ["an issuer with a slash more", "TOKEN_ISSUER", (f) => signToken({ ...f.claims, iss: `${f.claims.iss}/` }, f.key)],
  ["no issuer", "CREDENTIAL_MALFORMED", (f) => signToken(without(f.claims, "iss"), f.key)],
  [
    "the name of another trusted issuer",
    "TOKEN_SIGNATURE",
    (f) => signToken({ ...f.claims, iss: f.otherIssuer.issuer, aud: f.otherIssuer.audience }, f.key),
  ],
  [
    "an end more than a minute ago",
    "CREDENTIAL_EXPIRED",
    (f) => signToken({ ...f.claims, exp: f.claims.iat - 62 }, f.key),
  ],
  ["no end", "CREDENTIAL_MALFORMED", (f) => signToken(without(f.claims, "exp"), f.key)],
  ["an end that is a text", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { exp: "never" })],
  ["no time of issue", "CREDENTIAL_MALFORMED", (f) => signToken(without(f.claims, "iat"), f.key)],
  ["a far future start", "CREDENTIAL_MALFORMED", (f) => signToken({ ...f.claims, nbf: f.claims.iat + 1e6 }, f.key)],
  [
    "a far future time of issue",
    "CREDENTIAL_MALFORMED",
    (f) => signToken({ ...f.claims, iat: f.claims.iat + 1e6 }, f.key),
  ],
  ["no subject", "CREDENTIAL_MALFORMED", (f) => signToken(without(f.claims, "sub"), f.key)],
  ["a subject that is an object", "CREDENTIAL_MALFORMED", (f) => signedRaw(f, { sub: { $gt: "" } })],
  ["an unknown subject", "MEMBER_UNKNOWN", (f) => signToken({ ...f.claims, sub: "unknown" }, f.key)],
  ["no organisation", "MEMBER_UNKNOWN", (f) => signToken(without(f.claims, "organisation"), f.key)],
  [
    "an organisation that does not exist",
    "MEMBER_UNKNOWN",
    (f) => signToken({ ...f.claims, organisation: "nowhere" }, f.key),
  ],
  [
    "an organisation that is not the member's",
    "MEMBER_UNKNOWN",
    (f) => signToken({ ...f.claims, organisation: f.foreignOrganisation }, f.key),
  ],
  ["an organisation that is an object", "MEMBER_UNKNOWN", (f) => signedRaw(f, { organisation: { $ne: "" } })],
];

const shapes: Forgery[] = [
  ["no token at all", "CREDENTIAL_MALFORMED", () => "hello"],
  ["three empty parts", "CREDENTIAL_MALFORMED", () => ".."],
  ["a header that is no JSON", "CREDENTIAL_MALFORMED", (f) => `aGVsbG8.${encode(f.claims)}.AAAA`],
  ["a payload that is a list", "CREDENTIAL_MALFORMED", () => `${encode({ alg: "ES256" })}.${encode([])}.AAAA`],
  ["a line break in it", "TOKEN_SIGNATURE", async (f) => (await signToken(f.claims, f.key)).replace(".", ".\n")],
  ["a fourth part", "CREDENTIAL_MALFORMED", async (f) => `${await signToken(f.claims, f.key)}.AAAA`],
  ["a payload nested 5,000 deep", "CREDENTIAL_MALFORMED", (f) => nested(f, 5_000)],
  ["1 MB", "CREDENTIAL_MALFORMED", (f) => signToken({ ...f.claims, padding: "x".repeat(1_000_000) }, f.key)],
  ["100 kB", "CREDENTIAL_MALFORMED", (f) => signToken({ ...f.claims, padding: "x".repeat(100_000) }, f.key)],
];

/** Every forgery that must be refused as UNAUTHENTICATED. */
export const forgeries: Forgery[] = [...signatures, ...headers, ...claims, ...shapes];

/** A token that would be accepted: what every forgery starts from. */
export function genuineToken({ claims: genuine, key }: Forge): Promise<string> {
  return signToken(genuine, key);
}

/** Signs claims of any type. */
async function signedRaw({ claims: genuine, key }: Forge, change: Record<string, unknown>): Promise<string> {
  return await signToken(Object.assign({}, genuine, change), key);
}

/** An RSA key of 1024 bits, which the signing side of the library would refuse as well: so node signs it. */
function weaklySigned({ claims: genuine, otherIssuer }: Forge): string {
  const { issuer, audience, weakKey } = otherIssuer;
  const text = `${encode({ alg: "RS256", typ: "at+jwt", kid: weakKey.kid })}.${encode({ ...genuine, iss: issuer, aud: audience })}`;
  const key = createPrivateKey({ key: { ...weakKey }, format: "jwk" });
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

/** A signature as TLS would write it: of two numbers in DER instead of 64 bytes. */
function signedAsDer({ claims: genuine, key }: Forge): string {
  const text = `${encode({ alg: "ES256", typ: "at+jwt", kid: key.kid })}.${encode(genuine)}`;
  const privateKey = createPrivateKey({ key: { ...key }, format: "jwk" });
  return `${text}.${createSign("SHA256").update(text).sign(privateKey, "base64url")}`;
}

function deflated({ key }: Forge, payload: Buffer): string {
  const header = encode({ alg: "ES256", typ: "at+jwt", kid: key.kid, zip: "DEF" });
  const text = `${header}.${deflateRawSync(payload).toString("base64url")}`;
  return `${text}.${es256(text, key)}`;
}

function nested(f: Forge, depth: number): string {
  const payload = JSON.stringify({ ...f.claims, padding: 0 }).replace(
    /0}$/,
    `${"[".repeat(depth)}${"]".repeat(depth)}}`,
  );
  return signedText(f, JSON.stringify({ alg: "ES256", typ: "logout+jwt", kid: f.key.kid }), payload);
}
