import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import { errors, type JWTVerifyResult, jwtVerify } from "jose";
import {
  type AccessToken,
  algorithms,
  assertAccessToken,
  claimedIssuer,
  clockToleranceSeconds,
  readClaims,
  refusalOfToken,
} from "./access-token.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import type { Issuer } from "./issuer.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { ReadKeySet } from "./key-set.ts";

/** Verifies access tokens of the configured issuers. */
export interface AccessTokenVerifier {
  /** @throws CredentialRefusedError; IssuerUnavailableError when the issuer cannot be asked for its keys. */
  verify(token: string): Promise<AccessToken>;
}

export interface AccessTokenVerifierDependencies {
  issuers: Issuer[];
  outbound: GuardedFetch;
  now: () => Date;
  /** An issuer did not answer. */
  onFailure: (failure: { issuer: string; error: unknown }) => void;
  /** An issuer publishes keys that are not believed. */
  onIgnored: (keys: { issuer: string; ignored: ReadKeySet["ignored"] }) => void;
}

/** A verifier that binds each issuer to its own audience and its own keys, and fetches nothing a token points at. */
export function createAccessTokenVerifier(o: AccessTokenVerifierDependencies): AccessTokenVerifier {
  const trusted = new Map(o.issuers.map((issuer) => [issuer.issuer, { issuer, keys: keysOf(issuer, o) }]));
  return {
    async verify(token) {
      const chosen = trusted.get(claimedIssuer(token));
      if (!chosen) throw new CredentialRefusedError("TOKEN_ISSUER");
      try {
        const { payload, protectedHeader } = await verifySignature(token, chosen, o.now());
        assertAccessToken(protectedHeader.typ, payload, o.now());
        return readClaims(payload, chosen.issuer);
      } catch (error) {
        throw refusalOfToken(error) ?? error;
      }
    },
  };
}

function keysOf(issuer: Issuer, { outbound, now, ...o }: AccessTokenVerifierDependencies): IssuerKeys {
  const onFailure = (error: unknown) => o.onFailure({ issuer: issuer.issuer, error });
  const onIgnored = (ignored: ReadKeySet["ignored"]) => o.onIgnored({ issuer: issuer.issuer, ignored });
  return new IssuerKeys(issuer, { outbound, now, onFailure, onIgnored });
}

async function verifySignature(
  token: string,
  { issuer, keys }: { issuer: Issuer; keys: IssuerKeys },
  currentDate: Date,
): Promise<JWTVerifyResult> {
  const options = {
    algorithms,
    issuer: issuer.issuer,
    audience: issuer.audience,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", "iat", issuer.subjectClaim],
    currentDate,
  };
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
