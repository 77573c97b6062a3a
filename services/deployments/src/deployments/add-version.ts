import { randomBytes } from "node:crypto";
import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import { digestOf, isPlanned, type VersionPlan } from "./version-plan.ts";

/** For which deployment, and how the protocol knows it. */
export interface VersionOwner {
  organisationId: string;
  deploymentId: string;
  modelName: string;
}

type Dependencies = Pick<DeploymentsDependencies, "deploymentVersions" | "clock" | "newId">;

/** The version of a deployment that is made as planned: one of those `known`, or a new one. */
export async function addVersion(
  { deploymentVersions, clock, newId }: Dependencies,
  { organisationId, deploymentId, modelName }: VersionOwner,
  { plan, known }: { plan: VersionPlan; known: readonly DeploymentVersion[] },
  session: ClientSession,
): Promise<DeploymentVersion> {
  const same = known.find((version) => isPlanned(version, plan));
  if (same) return same;
  const newest = await deploymentVersions.newest(organisationId, deploymentId, session);
  const version: DeploymentVersion = {
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
