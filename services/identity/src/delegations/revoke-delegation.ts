import type { IdentityDependencies } from "../dependencies.ts";
import type { Delegation } from "./delegation.ts";
import { delegationCredentialChanged, delegationRevoked } from "./delegation-events.ts";

type Dependencies = Pick<IdentityDependencies, "delegations" | "outbox" | "transaction" | "clock">;

/** Ends a delegation for ever; one that has ended stays as it is. @throws DelegationNotFoundError */
export function revokeDelegation(
  { delegations, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  id: string,
): Promise<Delegation> {
  return transaction(async (session) => {
    const delegation = await delegations.get(organisationId, id, session);
    if (delegation.revokedAt) return delegation;
    const revokedAt = clock();
    await delegations.revoke(organisationId, id, revokedAt, session);
    // Same transaction: caches that are not told would let it act for another minute.
    await outbox.stage(
      session,
      delegationCredentialChanged(delegation, revokedAt),
      delegationRevoked(delegation, revokedAt),
    );
    return { ...delegation, revokedAt };
  });
}
