import { DeploymentsOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { eventRecord } from "@aiplatform/event-stream";
import type { PurgeParts } from "@aiplatform/service-kit";
import { create } from "@bufbuild/protobuf";
import type { DeploymentsDependencies } from "./dependencies.ts";
import { deleteDeployment } from "./deployments/delete-deployment.ts";
import { DeploymentNotFoundError } from "./deployments/deployment.ts";
import type { Reconciler } from "./reconciler/start-reconciler.ts";

type Dependencies = DeploymentsDependencies & { reconciler: Pick<Reconciler, "hasInstances"> };

/** Deployments that are read at once. */
const pageSize = 100;

/**
 * What deployments does for a deleted organisation besides removing its documents: the reconciler ends its instances as it does for
 * every deployment that is deleted, and then its artifacts are removed.
 */
export function purgeOfDeployments(dependencies: Dependencies): PurgeParts {
  const { outbox, clock, artifacts, uploads, reconciler } = dependencies;
  return {
    async prepare(organisationId, signal) {
      const areGone = await deleteDeployments(dependencies, organisationId, signal);
      if (!areGone || (await reconciler.hasInstances(organisationId))) return false;
      await uploads.forgetAll(organisationId, signal);
      await artifacts.removeAll(organisationId, signal);
      return true;
    },
    async purged(organisationId, session) {
      const message = create(DeploymentsOrganisationPurgedSchema, { organisationId });
      const facts = { organisationId, entityId: organisationId, time: clock(), tellsOfDeletion: true } as const;
      await outbox.stage(session, eventRecord(DeploymentsOrganisationPurgedSchema, message, facts));
    },
  };
}

/** Has every deployment of the organisation deleted. Answers whether there is none any longer. */
async function deleteDeployments(
  dependencies: Dependencies,
  organisationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { deployments, transaction } = dependencies;
  let found = 0;
  for (let cursor = ""; ; ) {
    const page = await deployments.list(organisationId, { limit: pageSize, cursor });
    for (const { id: deploymentId, desiredState } of page.items) {
      signal.throwIfAborted();
      found += 1;
      if (desiredState === "deleted") continue;
      const ref = { organisationId, deploymentId };
      await transaction((session) => deleteDeployment(dependencies, ref, session)).catch(ignoreGone);
    }
    cursor = page.nextCursor;
    if (cursor === "") return found === 0;
  }
}

/** The reconciler, or the last call of a member, was faster. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof DeploymentNotFoundError)) throw error;
}
