import { type Caller, type ContextSigner, type FailedCredentialLimiter, networkOf } from "@aiplatform/caller-identity";
import { type ExchangeDependencies, exchangeCredential, type ShownCredentials } from "./exchange-credential.ts";

/** What a caller shows, and where it comes from. */
export interface CredentialAttempt extends ShownCredentials {
  /** IP address, whose bad credentials are counted. Empty: not counted. */
  sourceAddress: string;
}

/** Turns credentials into a caller context for up to a minute, signed for each of the audiences. */
export type CallerIssuer = (attempt: CredentialAttempt, audiences: readonly string[]) => Promise<IssuedCaller>;

export type IssuedCaller = Omit<Caller, "signedContext" | "signedContexts"> & Required<Pick<Caller, "signedContexts">>;

/**
 * An issuer that looks every credential up again.
 * @throws what exchangeCredential throws; RESOURCE_EXHAUSTED when too many bad ones came from the address
 */
export function createCallerIssuer(
  dependencies: ExchangeDependencies & { failedCredentials: Pick<FailedCredentialLimiter, "attempt"> },
  signer: Pick<ContextSigner, "sign">,
): CallerIssuer {
  return async ({ sourceAddress, ...shown }, audiences) => {
    const verify = () => exchangeCredential(dependencies, shown);
    const counted = () => dependencies.failedCredentials.attempt(networkOf(sourceAddress), verify);
    const verified = await (sourceAddress === "" ? verify() : counted());
    const { organisationId, memberId, permissions, credentialId, sessionId, expiresAt } = verified;
    const named = { ...(memberId !== undefined && { memberId }), ...(sessionId !== undefined && { sessionId }) };
    const caller = { organisationId, ...named, permissions: new Set([...permissions].sort()), credentialId };
    const signed = await Promise.all(
      audiences.map(async (audience) => ({
        audience,
        ...(await signer.sign(caller, { notAfter: expiresAt, audience })),
      })),
    );
    const signedContexts = Object.fromEntries(signed.map(({ audience, signedContext }) => [audience, signedContext]));
    return {
      ...caller,
      signedContexts,
      expiresAt: new Date(Math.min(...signed.map((each) => each.expiresAt.getTime()))),
    };
  };
}
