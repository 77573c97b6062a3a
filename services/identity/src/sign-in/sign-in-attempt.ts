import { hkdfSync } from "node:crypto";
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from "jose";
import type { SignInSecrets } from "./sign-in-provider.ts";

/** A person's way to an identity provider and back. */
export interface SignInAttempt extends SignInSecrets {
  /** Id of the provider. */
  provider: string;
  /** Page of the console to show afterwards. */
  to: string;
  expiresAt: Date;
}

/** How long a person has at the provider, ms. */
export const attemptLifetimeMs: number = 15 * 60_000;

const audience = "sign-in attempt";

/**
 * Seals attempts, so that the browser keeps them: a start costs no write, and any replica can go on. The key is derived from the secret
 * that all replicas share.
 */
export class SealedAttempts {
  readonly #key: Uint8Array;
  readonly #clock: () => Date;

  constructor({ secret, clock }: { secret: string; clock: () => Date }) {
    this.#key = new Uint8Array(hkdfSync("sha256", secret, "", "aiplatform sign-in attempts", 32));
    this.#clock = clock;
  }

  seal({ expiresAt, ...attempt }: SignInAttempt): Promise<string> {
    return new EncryptJWT({ ...attempt })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setAudience(audience)
      .setExpirationTime(expiresAt)
      .encrypt(this.#key);
  }

  /** What was sealed, also when it is over; undefined where this is none of ours. */
  async open(sealed: string): Promise<SignInAttempt | undefined> {
    const rules = { audience, currentDate: this.#clock(), requiredClaims: ["exp"] };
    const algorithms = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
    try {
      return attemptOf((await jwtDecrypt(sealed, this.#key, { ...rules, ...algorithms })).payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) return attemptOf(error.payload);
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

function attemptOf({ provider, to, state, nonce, codeVerifier, exp }: JWTPayload): SignInAttempt | undefined {
  const isWhole =
    typeof provider === "string" &&
    typeof to === "string" &&
    typeof state === "string" &&
    typeof nonce === "string" &&
    typeof codeVerifier === "string" &&
    exp !== undefined;
  return isWhole ? { provider, to, state, nonce, codeVerifier, expiresAt: new Date(exp * 1_000) } : undefined;
}
