import type { ConnectError } from "@connectrpc/connect";
import { errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { Caller } from "./caller.ts";
import { type RefusalReason, refusal } from "./refusal.ts";
import { clockToleranceSeconds, contextIssuer, contextLifetimeSeconds, contextType } from "./signed-context.ts";
import { createVerificationKeys } from "./verification-keys.ts";

/** Verifies signed caller contexts without calling another service, once it knows identity's keys. */
export interface ContextVerifier {
  /**
   * Believes a context that is for one of the audiences.
   * @throws ConnectError UNAUTHENTICATED with a reason; UNAVAILABLE when no key was ever obtained, or when identity has
   * signed the context and it is out of its time here.
   */
  verify(signed: string, audiences: readonly string[]): Promise<Caller>;
}

/** Longer than any context identity signs; bounds the work an unknown caller can cause. */
const maxContextLength = 16 * 1024;

/**
 * Verified contexts are remembered until they expire (at most `remembered`, default 10,000). Keys come from `jwks`
 * (JSON text, RFC 7517): fetched once, again on an unknown key id at most every 10 s, and kept while identity is away.
 */
export function createContextVerifier(o: {
  jwks: () => Promise<string>;
  now: () => Date;
  remembered?: number;
}): ContextVerifier {
  const keys = createVerificationKeys(o);
  const remembered = new LRUCache<string, Verified>({ max: o.remembered ?? 10_000 });
  return {
    async verify(signed, audiences) {
      const known = remembered.get(signed);
      const { caller, audience } = known ?? (await verifySignature(signed, keys.find, o.now()));
      if (!audiences.includes(audience)) throw refusal("CONTEXT_AUDIENCE");
      if (!known) remembered.set(signed, { caller, audience });
      else if (caller.expiresAt.getTime() + clockToleranceSeconds * 1000 <= o.now().getTime())
        throw refusal("CONTEXT_EXPIRED");
      return caller;
    },
  };
}

interface Verified {
  readonly caller: Caller;
  readonly audience: string;
}

async function verifySignature(
  signed: string,
  findKey: Parameters<typeof jwtVerify>[1],
  currentDate: Date,
): Promise<Verified> {
  if (signed.length > maxContextLength) throw refusal("CONTEXT_MALFORMED");
  try {
    const { payload } = await jwtVerify(signed, findKey, {
      algorithms: ["EdDSA"],
      typ: contextType,
      issuer: contextIssuer,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ["sub", "iat", "exp"],
      currentDate,
    });
    // jose judges `iat` only with a maximum age.
    const earliest = (payload.iat ?? 0) - clockToleranceSeconds;
    if (earliest * 1000 > currentDate.getTime()) throw refusal("CONTEXT_NOT_YET_VALID");
    // A list would be a context for several services, and identity signs none.
    if (typeof payload.aud !== "string") throw refusal("CONTEXT_AUDIENCE");
    return { caller: callerFrom(payload, signed), audience: payload.aud };
  } catch (error) {
    throw refusalOf(error);
  }
}

function callerFrom(payload: JWTPayload, signedContext: string): Caller {
  const { sub, iat, exp, organisation_id: organisationId, member_id: memberId, permissions } = payload;
  const { session_id: sessionId } = payload;
  const wellFormed =
    sub !== undefined &&
    typeof organisationId === "string" &&
    (memberId === undefined || typeof memberId === "string") &&
    (sessionId === undefined || typeof sessionId === "string") &&
    isStrings(permissions);
  if (!wellFormed || iat === undefined || exp === undefined) throw refusal("CONTEXT_MALFORMED");
  if (exp - iat > contextLifetimeSeconds) throw refusal("CONTEXT_MALFORMED");
  return {
    organisationId,
    ...(memberId === undefined ? {} : { memberId }),
    permissions: new Set(permissions),
    credentialId: sub,
    ...(sessionId === undefined ? {} : { sessionId }),
    expiresAt: new Date(exp * 1000),
    signedContext,
  };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const reasonOfClaim = new Map<string, RefusalReason>([["iss", "CONTEXT_ISSUER"]]);

function refusalOf(error: unknown): ConnectError | Error {
  if (error instanceof errors.JWTExpired) return refusal("CONTEXT_EXPIRED", error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refusal(reasonOfClaim.get(error.claim) ?? "CONTEXT_MALFORMED", error);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return refusal("CONTEXT_SIGNATURE", error);
  }
  if (error instanceof errors.JOSEError) return refusal("CONTEXT_MALFORMED", error);
  return error instanceof Error ? error : refusal("CONTEXT_MALFORMED", error);
}
