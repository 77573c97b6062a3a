import {
  type ArtifactContent,
  type ModelRef,
  type ServingBundle,
  ServingBundleSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { JsonObject } from "@aiplatform/contract/transcoder/v1/json";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { toJsonString } from "@bufbuild/protobuf";
import type { BundleRequest } from "./plan-bundle.ts";

/** What both requests say about a bundle. The contract refuses one that lacks what is required. */
export interface BundleFields {
  servingBundle?: ServingBundle | undefined;
  modelRefs: ModelRef[];
  artifacts: ArtifactContent[];
  serverlessRunConfig?: JsonObject | undefined;
}

export function bundleOf({ servingBundle, modelRefs, artifacts, serverlessRunConfig }: BundleFields): BundleRequest {
  if (!servingBundle) throw new InvalidFieldsError([{ field: "serving_bundle", description: "Field required" }]);
  const { runtime, interface: schemas } = servingBundle;
  return {
    given: {
      runtime: { type: runtime?.type ?? "", value: runtime?.value ?? "" },
      interface: { input: schemas?.input?.text || "{}", output: schemas?.output?.text || "{}" },
      artifacts: servingBundle.artifacts.map(({ name = "", path = "" }) => ({ name, path })),
      datasets: servingBundle.datasets.map(({ datasetId = "", alias = "" }) => ({ datasetId, alias })),
      modelRefs: modelRefs.map(({ modelId = "", alias = "" }) => ({ modelId, alias })),
      contents: artifacts.map(({ name = "", content }) => ({ name, content: content?.text ?? "" })),
    },
    bundleText: toJsonString(ServingBundleSchema, servingBundle),
    runConfigText: serverlessRunConfig && (serverlessRunConfig.text || "{}"),
  };
}
