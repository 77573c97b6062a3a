import type { IdentityDependencies } from "../dependencies.ts";
import type { Organisation } from "./organisation.ts";
import { organisationCredentialsChanged, organisationRestored, organisationSuspended } from "./organisation-events.ts";
import { stateAfter } from "./organisation-state.ts";

type Dependencies = Pick<IdentityDependencies, "organisations" | "outbox" | "transaction" | "clock">;

const announced = { restore: organisationRestored, suspend: organisationSuspended };

/**
 * Suspends or restores an organisation; one that is so already stays as it is.
 * @throws OrganisationNotFoundError, OrganisationDeletedError
 */
export function moveOrganisation(
  { organisations, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  move: keyof typeof announced,
): Promise<Organisation> {
  return transaction(async (session) => {
    const organisation = await organisations.get(organisationId, session);
    const state = stateAfter(organisation.state, move);
    if (state === organisation.state) return organisation;
    const moved = { ...organisation, state, stateRevision: organisation.stateRevision + 1 };
    const now = clock();
    await organisations.setState(moved, session);
    // Same transaction: caches that are not told would let callers in for another minute.
    await outbox.stage(session, organisationCredentialsChanged(moved, now), announced[move](moved, now));
    return moved;
  });
}
