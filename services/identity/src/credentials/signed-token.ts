import { errors, type JWTVerifyResult, jwtVerify } from "jose";
import { algorithms, clockToleranceSeconds } from "./access-token.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

/** What a token has to be for. */
export interface SignedTokenRules {
  issuer: string;
  audience: string;
  requiredClaims: string[];
  currentDate: Date;
}

/**
 * Verifies a token's signature by its issuer's keys, its issuer, audience and times.
 * @throws jose's errors; IssuerUnavailableError when the issuer cannot be asked for its keys
 */
export async function verifySignedToken(
  token: string,
  keys: Pick<IssuerKeys, "find">,
  rules: SignedTokenRules,
): Promise<JWTVerifyResult> {
  const options = { ...rules, algorithms, clockTolerance: clockToleranceSeconds };
  try {
    return await jwtVerify(token, keys.find, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without `kid` of an issuer with several keys: any one of them may have signed it.
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
