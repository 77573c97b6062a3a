import { randomBytes } from "node:crypto";
import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DeploymentVersion, ServedVersion } from "./deployment-version.ts";
import type { DeploymentVersionStore } from "./deployment-version-store.ts";
import { digestOf, isPlanned, type VersionPlan } from "./version-plan.ts";

/** For which deployment, and how the protocol knows it. */
export interface VersionOwner {
  organisationId: string;
  deploymentId: string;
  modelName: string;
}

interface Dependencies extends Pick<DomainPlatform, "clock" | "newId"> {
  deploymentVersions: DeploymentVersionStore;
}

/** The version of a deployment that is made as planned: one of those `known`, or a new one. */
export async function addDeploymentVersion(
  { deploymentVersions, clock, newId }: Dependencies,
  { organisationId, deploymentId, modelName }: VersionOwner,
  { plan, known }: { plan: VersionPlan; known: readonly DeploymentVersion[] },
  session: ClientSession,
): Promise<DeploymentVersion> {
  const same = known.find((version) => isPlanned(version, plan));
  if (same) return same;
  const newest = await deploymentVersions.newest(organisationId, deploymentId, session);
  const version: ServedVersion = {
    id: newId(),
    organisationId,
    deploymentId,
    number: (newest?.number ?? 0) + 1,
    modelVersionId: plan.models[0]?.modelVersionId,
    digest: digestOf(plan),
    token: randomBytes(32).toString("base64url"),
    modelName,
    createdAt: clock(),
    ...plan,
  };
  await deploymentVersions.insert(organisationId, version, session);
  return version;
}
