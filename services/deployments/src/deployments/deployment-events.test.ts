import { DeploymentStatus, RolloutStatus } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import {
  DeploymentStatusChangedSchema,
  RolloutEndedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { rolloutEnded } from "../rollouts/rollout-events.ts";
import { deploymentStatusChanged } from "./deployment-events.ts";

const deployment = { id: "d1", organisationId: "o1" };
const time = new Date(0);

describe("an event with a status", () => {
  it("has that of a deployment as a word and as an enum", () => {
    const { data } = deploymentStatusChanged({ ...deployment, status: "Unhealthy" }, time);
    const told = { status: "Unhealthy", deploymentStatus: DeploymentStatus.UNHEALTHY };
    expect(fromBinary(DeploymentStatusChangedSchema, data)).toMatchObject(told);
  });

  it("has that of a rollout as a word and as an enum", () => {
    const { data } = rolloutEnded(deployment, { id: "r1", status: "RolledBack", error: undefined }, time);
    const told = { status: "RolledBack", rolloutStatus: RolloutStatus.ROLLED_BACK };
    expect(fromBinary(RolloutEndedSchema, data)).toMatchObject(told);
  });
});
