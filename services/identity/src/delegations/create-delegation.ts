import { isDelegated, isOfNotebook } from "@aiplatform/caller-identity";
import { assertNone } from "@aiplatform/service-host";
import { holderOf } from "../credentials/holder-ref.ts";
import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant, unknownPermissions } from "../permissions/grant.ts";
import { unique } from "../roles/role.ts";
import {
  DelegatedCallerError,
  type Delegation,
  DelegationsOffError,
  DelegationTakenError,
  isSameDelegation,
} from "./delegation.ts";
import { delegationCreated } from "./delegation-events.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "delegations" | "delegationSecret" | "catalogue" | "outbox" | "transaction" | "clock"
>;

/**
 * Lets the platform act in the caller's name; the same again changes nothing.
 * @throws InvalidFieldsError, GrantExceedsCallerError, DelegatedCallerError, DelegationTakenError, DelegationsOffError
 */
export function createDelegation(
  { delegations, delegationSecret, catalogue, outbox, transaction, clock }: Dependencies,
  caller: GrantingCaller & { credentialId: string },
  { id, purpose, permissionIds, digest }: Pick<Delegation, "id" | "purpose" | "permissionIds" | "digest">,
): Promise<Delegation> {
  const { organisationId, credentialId, permissions } = caller;
  if (delegationSecret === undefined) throw new DelegationsOffError();
  assertNone(unknownPermissions(catalogue, permissionIds));
  assertMayGrant(permissions, permissionIds);
  if (isDelegated(credentialId) || isOfNotebook(credentialId)) throw new DelegatedCallerError();
  const wanted = {
    id,
    organisationId,
    giver: holderOf(caller),
    purpose,
    permissionIds: unique(permissionIds).sort(),
    digest,
  };
  return transaction(async (session) => {
    const delegation: Delegation = { ...wanted, createdAt: clock(), revokedAt: undefined };
    const known = await delegations.find(organisationId, id, session);
    if (known && (known.revokedAt || !isSameDelegation(known, delegation))) throw new DelegationTakenError();
    if (known) return known;
    await delegations.insert(organisationId, delegation, session);
    await outbox.stage(session, delegationCreated(delegation, delegation.createdAt));
    return delegation;
  });
}
