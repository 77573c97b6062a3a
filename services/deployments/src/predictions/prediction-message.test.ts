import { ServingInstanceState } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { describe, expect, it } from "vitest";
import { servingStateMessage } from "./prediction-message.ts";

describe("an instance, as an answer has it", () => {
  it.each([
    ["starting", ServingInstanceState.STARTING],
    ["ready", ServingInstanceState.READY],
    ["unhealthy", ServingInstanceState.UNHEALTHY],
    ["failed", ServingInstanceState.FAILED],
  ] as const)("that is %s says so as a word and as an enum", (state, instanceState) => {
    const instance = { versionId: "v1", name: "pod-1", state, detail: undefined, inFlight: 0, restarts: 0 };
    const versions = [{ versionId: "v1", percent: 100, instances: [instance] }];
    const message = servingStateMessage({ predictionPath: "/", modelName: "m", environment: "development", versions });
    expect(message.versions[0]?.instances).toMatchObject([{ state, instanceState }]);
  });
});
