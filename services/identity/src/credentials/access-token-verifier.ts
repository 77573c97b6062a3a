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

/** Verifies access tokens of the configured issuers. */
export interface AccessTokenVerifier {
  /** Throws CredentialRefusedError; IssuerUnavailableError when the issuer cannot be asked for its keys. */
  verify(token: string): Promise<AccessToken>;
}

/** What is told of an issuer that did not answer. */
export type IssuerFailure = { issuer: string; error: unknown };

/** A verifier that binds each issuer to its own audience and its own keys, and fetches nothing a token points at. */
export function createAccessTokenVerifier(o: {
  issuers: Issuer[];
  now: () => Date;
  onFailure: (failure: IssuerFailure) => void;
}): AccessTokenVerifier {
  const trusted = new Map(
    o.issuers.map((issuer) => {
      const onFailure = (error: unknown) => o.onFailure({ issuer: issuer.issuer, error });
      return [issuer.issuer, { issuer, keys: new IssuerKeys(issuer, { now: o.now, onFailure }) }];
    }),
  );
  return {
    async verify(token) {
      const chosen = trusted.get(claimedIssuer(token));
      if (!chosen) throw new CredentialRefusedError("TOKEN_ISSUER");
      try {
        const { payload, protectedHeader } = await verifySignature(token, chosen, o.now());
        assertAccessToken(protectedHeader.typ, payload, o.now());
        return readClaims(payload, chosen.issuer.organisationClaim);
      } catch (error) {
        throw refusalOfToken(error) ?? error;
      }
    },
  };
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
    requiredClaims: ["exp", "iat", "sub"],
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
