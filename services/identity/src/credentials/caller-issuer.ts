import type { Caller, ContextSigner } from "@aiplatform/caller-identity";
import { type ExchangeDependencies, exchangeCredential, type ShownCredentials } from "./exchange-credential.ts";

/** Turns credentials into a caller context for up to a minute, signed for each of the audiences. */
export type CallerIssuer = (shown: ShownCredentials, audiences: readonly string[]) => Promise<IssuedCaller>;

export type IssuedCaller = Omit<Caller, "signedContext" | "signedContexts"> & Required<Pick<Caller, "signedContexts">>;

/** An issuer that looks every credential up anew. @throws what exchangeCredential throws */
export function createCallerIssuer(
  dependencies: ExchangeDependencies,
  signer: Pick<ContextSigner, "sign">,
): CallerIssuer {
  return async (shown, audiences) => {
    const verified = await exchangeCredential(dependencies, shown);
    const { organisationId, memberId, permissions, credentialId, expiresAt } = verified;
    const named = memberId === undefined ? {} : { memberId };
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
