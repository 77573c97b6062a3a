import type { Caller, ContextSigner } from "@aiplatform/caller-identity";
import { type ExchangeDependencies, exchangeCredential, type ShownCredentials } from "./exchange-credential.ts";

/** Turns credentials into a caller context that every service accepts for up to a minute. */
export type CallerIssuer = (shown: ShownCredentials) => Promise<Caller>;

/** An issuer that looks every credential up anew. @throws what exchangeCredential throws */
export function createCallerIssuer(
  dependencies: ExchangeDependencies,
  signer: Pick<ContextSigner, "sign">,
): CallerIssuer {
  return async (shown) => {
    const verified = await exchangeCredential(dependencies, shown);
    const { organisationId, memberId, permissions, credentialId, expiresAt } = verified;
    const named = memberId === undefined ? {} : { memberId };
    const caller = { organisationId, ...named, permissions: new Set([...permissions].sort()), credentialId };
    return { ...caller, ...(await signer.sign(caller, expiresAt)) };
  };
}
