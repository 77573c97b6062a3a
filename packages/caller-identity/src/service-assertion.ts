import type { ServiceKeys } from "@aiplatform/service-keys";
import type { ConnectError } from "@connectrpc/connect";
import { errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { refusal } from "./refusal.ts";
import { clockToleranceSeconds } from "./signed-context.ts";

/** Metadata key (and HTTP header) in which a service proves to another which one it is. */
export const serviceAssertionHeader = "x-service-assertion";

/** `typ` of an assertion, so that nothing else that a service signs passes for one (RFC 8725, 3.11). */
const assertionType = "service-assertion+jwt";
const lifetimeSeconds = 60;
/** Early enough that a call which takes its whole time, retries included, does not outlive it. */
const renewAfterMs = 20_000;
/** Longer than any assertion; bounds the work that an unknown caller can cause. */
const maxLength = 1_024;
/** Few senders make two or three each in their life. */
const maxRemembered = 1_000;

type AssertingKeys = Pick<ServiceKeys, "service" | "signingKey" | "publicKey">;

/** Who calls: short-lived tokens that a service signs for one other service (as RFC 7523, 3 has them). */
export class ServiceAssertions {
  readonly service: string;
  readonly #keys: AssertingKeys;
  readonly #now: () => Date;
  /** By audience. */
  readonly #made = new Map<string, { kid: string; until: number; assertion: Promise<string> }>();
  readonly #verified = new LRUCache<string, { service: string; until: number }>({ max: maxRemembered });

  constructor(keys: AssertingKeys, now: () => Date) {
    this.service = keys.service;
    this.#keys = keys;
    this.#now = now;
  }

  /** Proves to the service `audience` which service this is; one assertion serves many calls. */
  for(audience: string): Promise<string> {
    const { kid } = this.#keys.signingKey;
    const now = this.#now().getTime();
    const made = this.#made.get(audience);
    if (made && made.kid === kid && now < made.until) return made.assertion;
    const assertion = this.#sign(audience, now);
    this.#made.set(audience, { kid, until: now + renewAfterMs, assertion });
    return assertion;
  }

  /** Which service made it, for this service. @throws ConnectError UNAUTHENTICATED, or UNAVAILABLE when it is out of its time */
  async verify(assertion: string): Promise<string> {
    const known = this.#verified.get(assertion);
    if (known && this.#now().getTime() < known.until) return known.service;
    const verified = await this.#verify(assertion);
    this.#verified.set(assertion, verified);
    return verified.service;
  }

  async #sign(audience: string, now: number): Promise<string> {
    const { kid, privateKey } = this.#keys.signingKey;
    const issuedAt = Math.floor(now / 1000);
    return await new SignJWT()
      .setProtectedHeader({ alg: "EdDSA", typ: assertionType, kid })
      .setIssuer(this.service)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(privateKey);
  }

  async #verify(assertion: string): Promise<{ service: string; until: number }> {
    if (assertion.length > maxLength) throw refusal("SERVICE_ASSERTION_INVALID");
    try {
      const { payload, protectedHeader } = await jwtVerify(assertion, this.#find, {
        algorithms: ["EdDSA"],
        typ: assertionType,
        audience: this.service,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ["iss", "iat", "exp"],
        currentDate: this.#now(),
      });
      const { iss = "", iat = 0, exp = 0 } = payload;
      if (this.#keys.publicKey(protectedHeader.kid ?? "")?.service !== iss || exp - iat > lifetimeSeconds) {
        throw refusal("SERVICE_ASSERTION_INVALID");
      }
      if ((iat - clockToleranceSeconds) * 1000 > this.#now().getTime()) throw refusal("SERVICE_ASSERTION_OUT_OF_TIME");
      return { service: iss, until: (exp + clockToleranceSeconds) * 1000 };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  readonly #find: JWTVerifyGetKey = ({ kid = "" }) => {
    const found = this.#keys.publicKey(kid);
    if (!found) throw new errors.JWKSNoMatchingKey();
    return found.key;
  };
}

function refusalOf(error: unknown): ConnectError | Error {
  if (error instanceof errors.JWTExpired) return refusal("SERVICE_ASSERTION_OUT_OF_TIME", error);
  if (error instanceof errors.JOSEError) return refusal("SERVICE_ASSERTION_INVALID", error);
  return error instanceof Error ? error : refusal("SERVICE_ASSERTION_INVALID", error);
}
