import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { SignJWT } from "jose";
import type { Caller } from "./caller.ts";
import {
  contextIssuer,
  contextLifetimeSeconds,
  contextType,
  meshAudience,
  type OutsideAudience,
  outsideTypes,
} from "./signed-context.ts";

/** Claims about a subject for an audience outside the mesh. */
export interface Statement {
  /** `sub`: who. */
  readonly subject: string;
  readonly claims: Readonly<Record<string, string>>;
  /** How long it holds. */
  readonly seconds: number;
}

/** Signs caller contexts; only identity holds one. */
export interface ContextSigner {
  /**
   * Signs for one audience; default all of the mesh. The context ends after a minute, or with its credential (`notAfter`)
   * when that is earlier.
   */
  sign(
    caller: Omit<Caller, "signedContext" | "signedContexts" | "expiresAt">,
    o?: { notAfter?: Date | undefined; audience?: string },
  ): Promise<{ signedContext: string; expiresAt: Date }>;
  /** Signs for an audience outside the mesh, of a type of its own, so that it never passes for a caller context. */
  signFor(audience: OutsideAudience, statement: Statement): Promise<{ signed: string; expiresAt: Date }>;
  /** The public keys that verify what this signer signs, as JSON text (RFC 7517). */
  jwks(): string;
}

/** A signing key is not an Ed25519 private key, or there is none. */
export class SigningKeyError extends Error {
  override name = "SigningKeyError";
}

/**
 * Signs with the first key of `privateKeyPem`; what any of them signed is verified by the published keys, so that a key
 * is replaced while contexts of the former one are about.
 * @throws SigningKeyError unless `privateKeyPem` is one or more Ed25519 private keys (PKCS 8 PEM)
 */
export function createContextSigner({ privateKeyPem, now }: { privateKeyPem: string; now: () => Date }): ContextSigner {
  const { first, published } = readSigningKeys(privateKeyPem);
  const { privateKey, kid } = first;
  const keys = JSON.stringify({ keys: published });
  return {
    jwks: () => keys,
    async sign(caller, { notAfter, audience = meshAudience } = {}) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const credentialEnd = notAfter ? Math.floor(notAfter.getTime() / 1000) : Number.POSITIVE_INFINITY;
      const expiresAt = Math.min(issuedAt + contextLifetimeSeconds, credentialEnd);
      const signedContext = await new SignJWT({
        organisation_id: caller.organisationId,
        ...(caller.memberId === undefined ? {} : { member_id: caller.memberId }),
        ...(caller.sessionId === undefined ? {} : { session_id: caller.sessionId }),
        permissions: [...caller.permissions].sort(),
      })
        .setProtectedHeader({ alg: "EdDSA", typ: contextType, kid })
        .setSubject(caller.credentialId)
        .setIssuer(contextIssuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey);
      return { signedContext, expiresAt: new Date(expiresAt * 1000) };
    },
    async signFor(audience, { subject, claims, seconds }) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiresAt = issuedAt + seconds;
      const signed = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "EdDSA", typ: outsideTypes[audience], kid })
        .setSubject(subject)
        .setIssuer(contextIssuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey);
      return { signed, expiresAt: new Date(expiresAt * 1000) };
    },
  };
}

function readSigningKeys(pem: string) {
  const [first, ...others] = (pem.match(/-----BEGIN [\s\S]*?-----END [^-]+-----/g) ?? []).map(readEd25519);
  if (!first) throw new SigningKeyError("there is no PEM private key to sign caller contexts with");
  return { first, published: [first, ...others].map((key) => key.published) };
}

function readEd25519(pem: string) {
  const { privateKey, crv, x } = readKey(pem);
  if (crv !== "Ed25519" || !x) {
    throw new SigningKeyError("a key that signs caller contexts must be an Ed25519 private key");
  }
  const publicPart = { crv, kty: "OKP", x };
  // RFC 7638: the required members in lexicographic order, which is how they stand above.
  const kid = createHash("sha256").update(JSON.stringify(publicPart)).digest("base64url");
  return { privateKey, kid, published: { ...publicPart, kid, alg: "EdDSA", use: "sig" } };
}

function readKey(pem: string) {
  try {
    const privateKey = createPrivateKey(pem);
    return { privateKey, ...createPublicKey(privateKey).export({ format: "jwk" }) };
  } catch (cause) {
    throw new SigningKeyError("a key that signs caller contexts cannot be read as a PEM private key", { cause });
  }
}
