import { type AccessToken, assertAccessToken, claimedIssuer, readClaims, refusalOfToken } from "./access-token.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import type { Issuer } from "./issuer.ts";
import type { KeysByIssuer } from "./issuer-keys.ts";
import { verifySignedToken } from "./signed-token.ts";

/** Verifies access tokens of the configured issuers. */
export interface AccessTokenVerifier {
  /** @throws CredentialRefusedError; IssuerUnavailableError when the issuer cannot be asked for its keys. */
  verify(token: string): Promise<AccessToken>;
}

export interface AccessTokenVerifierDependencies {
  issuers: readonly Issuer[];
  keys: KeysByIssuer;
  now: () => Date;
}

/** A verifier that binds each issuer to its own audience and its own keys, and fetches nothing a token points at. */
export function createAccessTokenVerifier({
  issuers,
  keys,
  now,
}: AccessTokenVerifierDependencies): AccessTokenVerifier {
  const trusted = new Map(issuers.map((issuer) => [issuer.issuer, issuer]));
  return {
    async verify(token) {
      const name = claimedIssuer(token);
      const issuer = trusted.get(name);
      const known = keys.get(name);
      if (!issuer || !known) throw new CredentialRefusedError("TOKEN_ISSUER");
      try {
        const requiredClaims = ["exp", "iat", issuer.subjectClaim];
        const rules = { issuer: issuer.issuer, audience: issuer.audience, requiredClaims, currentDate: now() };
        const { payload, protectedHeader } = await verifySignedToken(token, known, rules);
        assertAccessToken(protectedHeader.typ, payload, now());
        return readClaims(payload, issuer);
      } catch (error) {
        throw refusalOfToken(error) ?? error;
      }
    },
  };
}
