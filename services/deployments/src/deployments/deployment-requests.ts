import { callerOf } from "@aiplatform/caller-identity";
import {
  type ArtifactContent,
  type ModelRef,
  type ServingBundle,
  ServingBundleSchema,
  type SetCanaryRequest,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { JsonObject } from "@aiplatform/contract/transcoder/v1/json";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { toJsonString } from "@bufbuild/protobuf";
import type { DeploymentRef } from "./change-deployment.ts";
import type { BundleRequest } from "./plan-bundle.ts";
import type { Tried } from "./set-canary.ts";

/** What both requests say about a bundle. The contract refuses one that lacks what is required. */
export interface BundleFields {
  servingBundle?: ServingBundle | undefined;
  modelRefs: ModelRef[];
  artifacts: ArtifactContent[];
  serverlessRunConfig?: JsonObject | undefined;
}

/** Ids are kept in lower case. */
export function idOf(text: string): string {
  return text.toLowerCase();
}

/** Which deployment a caller names: one of the caller's organisation, or none. */
export function refOf(
  { deploymentId }: { deploymentId: string },
  context: Parameters<typeof callerOf>[0],
): DeploymentRef {
  return { organisationId: callerOf(context).organisationId, deploymentId: idOf(deploymentId) };
}

export function bundleOf({ servingBundle, modelRefs, artifacts, serverlessRunConfig }: BundleFields): BundleRequest {
  if (!servingBundle) throw new InvalidFieldsError([{ field: "serving_bundle", description: "Field required" }]);
  const { runtime, interface: schemas } = servingBundle;
  return {
    given: {
      runtime: { type: runtime?.type ?? "", value: runtime?.value ?? "" },
      interface: { input: schemas?.input?.text || "{}", output: schemas?.output?.text || "{}" },
      artifacts: servingBundle.artifacts.map(({ name = "", path = "" }) => ({ name, path })),
      datasets: servingBundle.datasets.map(({ datasetId = "", alias = "" }) => ({ datasetId: idOf(datasetId), alias })),
      modelRefs: modelRefs.map(({ modelId = "", alias = "" }) => ({ modelId: idOf(modelId), alias })),
      contents: artifacts.map(({ name = "", content }) => ({ name, content: content?.text ?? "" })),
    },
    bundleText: toJsonString(ServingBundleSchema, servingBundle),
    runConfigText: runConfigOf(serverlessRunConfig),
  };
}

/** JSON text of a run configuration; undefined where none was given. */
function runConfigOf(given: JsonObject | undefined): string | undefined {
  return given && (given.text || "{}");
}

/** Which version is tried. Throws InvalidFieldsError unless it is exactly one. */
export function triedOf({
  modelVersionId,
  deploymentVersionId,
}: Pick<SetCanaryRequest, "modelVersionId" | "deploymentVersionId">): Tried {
  if (modelVersionId !== undefined && deploymentVersionId === undefined)
    return { modelVersionId: idOf(modelVersionId) };
  if (deploymentVersionId !== undefined && modelVersionId === undefined)
    return { versionId: idOf(deploymentVersionId) };
  const description = "exactly one of model_version_id and deployment_version_id is to be given";
  throw new InvalidFieldsError([{ field: "model_version_id", reason: "EXACTLY_ONE", description }]);
}
