import {
  ServingInstanceState,
  type ServingState as ServingStateMessage,
  ServingStateSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { create } from "@bufbuild/protobuf";
import { presentFields } from "../present-fields.ts";
import type { InstanceState } from "../serving/serving-driver.ts";
import type { ServingState } from "./get-serving-state.ts";
import type { PredictionRoute } from "./resolve-prediction-route.ts";

const instanceStates: Readonly<Record<InstanceState, ServingInstanceState>> = {
  starting: ServingInstanceState.STARTING,
  ready: ServingInstanceState.READY,
  unhealthy: ServingInstanceState.UNHEALTHY,
  failed: ServingInstanceState.FAILED,
};

export function servingStateMessage({ versions, ...state }: ServingState): ServingStateMessage {
  return create(ServingStateSchema, {
    ...state,
    versions: versions.map(({ versionId, percent, instances }) => ({
      deploymentVersionId: versionId,
      percent,
      instances: instances.map(({ name, state: is, detail, inFlight, restarts }) => {
        return { name, state: is, instanceState: instanceStates[is], inFlight, restarts, ...presentFields({ detail }) };
      }),
    })),
  });
}

/** `servingName`: name in the certificate of instances that have one. */
export function targetMessage(
  { url, weight, version: { id, token, modelName } }: PredictionRoute["targets"][number],
  servingName: string,
) {
  const serverName = url.startsWith("https:") ? servingName : "";
  return { url, weight, token, deploymentVersionId: id, modelName, serverName };
}
