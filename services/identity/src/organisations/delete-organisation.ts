import type { ClientSession } from "@aiplatform/document-store";
import type { PurgeParts } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Organisation } from "./organisation.ts";
import { assertConfirmed, installedServices, isPurgedElsewhere } from "./organisation-deletion.ts";
import {
  organisationCredentialsChanged,
  organisationDeleted,
  organisationDeletionRequested,
} from "./organisation-events.ts";
import { stateAfter } from "./organisation-state.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "organisations" | "outbox" | "transaction" | "clock" | "purges" | "serviceKeys"
>;

/**
 * Has a suspended organisation deleted by every service; one whose deletion was requested stays as it is.
 * @throws OrganisationNotFoundError, SlugNotConfirmedError, OrganisationNotSuspendedError
 */
export function deleteOrganisation(
  { organisations, outbox, transaction, clock, purges }: Dependencies,
  { organisationId, confirmSlug, requestedBy }: { organisationId: string; confirmSlug: string; requestedBy: string },
): Promise<Organisation> {
  return transaction(async (session) => {
    const organisation = await organisations.get(organisationId, session);
    assertConfirmed(organisation, confirmSlug);
    const state = stateAfter(organisation.state, "delete");
    if (state === organisation.state) return organisation;
    const now = clock();
    const deletion = { requestedAt: now, requestedBy, purgedAt: {} };
    const moved = { ...organisation, state, stateRevision: organisation.stateRevision + 1, deletion };
    await organisations.beginDeletion(moved, session);
    await purges.begin(moved.id, session);
    await outbox.stage(session, organisationCredentialsChanged(moved, now), organisationDeletionRequested(moved, now));
    return moved;
  });
}

/** What identity does for a deleted organisation besides removing its documents: it is the last to do so. */
export function purgeOfIdentity(dependencies: Dependencies): PurgeParts {
  return {
    prepare: (organisationId) => isPurgedByOthers(dependencies, organisationId),
    purged: (organisationId, session) => finishDeletion(dependencies, organisationId, session),
  };
}

async function isPurgedByOthers(
  { organisations, serviceKeys }: Dependencies,
  organisationId: string,
): Promise<boolean> {
  const { deletion } = await organisations.get(organisationId);
  const services = installedServices((service) => serviceKeys.knows(service));
  return deletion !== undefined && isPurgedElsewhere(deletion, services);
}

/** The end of a deletion, once identity has removed what it kept as well. @throws OrganisationNotDeletingError */
async function finishDeletion(
  { organisations, outbox, clock }: Dependencies,
  organisationId: string,
  session: ClientSession,
): Promise<void> {
  const organisation = await organisations.get(organisationId, session);
  const state = stateAfter(organisation.state, "finish");
  if (state === organisation.state || !organisation.deletion) return;
  const time = clock();
  const deletion = { ...organisation.deletion, deletedAt: time };
  const finished = { ...organisation, state, stateRevision: organisation.stateRevision + 1, deletion };
  await organisations.finishDeletion(finished, session);
  await outbox.stage(session, organisationDeleted(finished, { time, requestedBy: deletion.requestedBy }));
}
