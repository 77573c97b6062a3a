import { describe, expect, it } from "vitest";
import { defaultRunConfig } from "../deployment-versions/run-config.ts";
import { canTransition, isUnderWay, type RolloutStatus, rolloutError } from "../rollouts/rollout.ts";
import type { Deployment, DeploymentStatus, DesiredState } from "./deployment.ts";
import {
  type DeploymentAction,
  DeploymentTransitionError,
  isTransitionNeeded,
  statusOnceQueued,
  type TransitionRule,
  toCanary,
  toDeleted,
  toRollout,
  toStopped,
  transitionRules,
} from "./transitions.ts";

const [before, now] = [new Date(0), new Date(1_000)];
const serving: Deployment = {
  id: "d",
  organisationId: "o",
  name: "Digits",
  description: "",
  serviceName: "digits",
  modelId: "m",
  modelVersionId: "m1",
  status: "Running",
  annotations: "{}",
  environment: "development",
  runConfig: defaultRunConfig,
  runConfigText: undefined,
  desiredState: "serve",
  generation: 4,
  currentVersionId: "v1",
  targetModelVersionId: "m1",
  rollout: { id: "r1", versionId: "v1", status: "Succeeded", error: undefined, queuedAt: before },
  canary: { versionId: "v0", percent: 10 },
  endpoints: [],
  instances: [],
  wakeRequestedAt: undefined,
  lowerEnvDeploymentId: undefined,
  higherEnvDeploymentId: undefined,
  createdAt: before,
  updatedAt: before,
};
const underWay: Deployment = { ...serving, rollout: { ...serving.rollout, id: "r2", status: "InProgress" } };
const next = { rolloutId: "r3", versionId: "v3", modelVersionId: "m3" };

describe("what may be asked of a deployment", () => {
  const rows: [DeploymentAction, Record<DesiredState, TransitionRule>][] = [
    ["roll_out", { serve: "allowed", stopped: "allowed", deleted: "refused" }],
    ["update", { serve: "allowed", stopped: "allowed", deleted: "refused" }],
    ["roll_back", { serve: "allowed", stopped: "allowed", deleted: "refused" }],
    ["set_canary", { serve: "allowed", stopped: "refused", deleted: "refused" }],
    ["end_canary", { serve: "allowed", stopped: "done", deleted: "refused" }],
    ["promote", { serve: "allowed", stopped: "refused", deleted: "refused" }],
    ["stop", { serve: "allowed", stopped: "done", deleted: "refused" }],
    ["start", { serve: "done", stopped: "allowed", deleted: "refused" }],
    ["delete", { serve: "allowed", stopped: "allowed", deleted: "done" }],
  ];

  it.each(rows)("%s", (action, expected) => {
    const outcomes = Object.keys(expected).map((state) => [state, outcomeOf(action, state as DesiredState)]);
    expect(Object.fromEntries(outcomes)).toEqual(expected);
  });

  it("is all in the table", () => {
    expect(rows.map(([action]) => action).toSorted()).toEqual(Object.keys(transitionRules).toSorted());
  });

  it.each<[DesiredState, string]>([
    ["stopped", "The deployment is stopped"],
    ["deleted", "The deployment is being deleted"],
  ])("is refused with what it is: %s", (desiredState, message) => {
    expect(() => isTransitionNeeded("promote", { id: "d", desiredState })).toThrow(message);
  });

  function outcomeOf(action: DeploymentAction, desiredState: DesiredState): TransitionRule {
    try {
      return isTransitionNeeded(action, { id: "d", desiredState }) ? "allowed" : "done";
    } catch (error) {
      if (error instanceof DeploymentTransitionError) return "refused";
      throw error;
    }
  }
});

describe("a deployment for which a rollout is queued", () => {
  it.each<[DeploymentStatus, DeploymentStatus]>([
    ["Pending", "Pending"],
    ["Deploying", "Pending"],
    ["Running", "Running"],
    ["Updating", "Updating"],
    ["Unhealthy", "Unhealthy"],
    ["Stopped", "Pending"],
    ["Failed", "Pending"],
    ["Deleting", "Deleting"],
  ])("that was %s is %s", (from, to) => {
    expect(statusOnceQueued[from]).toBe(to);
  });

  it("keeps what serves, and counts the generation up", () => {
    const { deployment, ended } = toRollout(serving, next, now);
    expect(ended).toBeUndefined();
    expect(deployment).toEqual({
      ...serving,
      generation: 5,
      targetModelVersionId: "m3",
      rollout: { id: "r3", versionId: "v3", status: "Queued", error: undefined, queuedAt: now },
      updatedAt: now,
    });
  });

  it("supersedes the one under way", () => {
    expect(toRollout(underWay, next, now).ended).toEqual({
      id: "r2",
      from: "InProgress",
      status: "Superseded",
      error: undefined,
      endedAt: now,
    });
  });

  it("before anything has served is of the version that is to serve first", () => {
    const waiting = { ...serving, currentVersionId: undefined };
    expect(toRollout(waiting, next, now).deployment.modelVersionId).toBe("m3");
  });
});

describe("a deployment that is not to serve", () => {
  it.each([
    ["stopped", toStopped, { desiredState: "stopped", status: "Running" }],
    ["deleted", toDeleted, { desiredState: "deleted", status: "Deleting" }],
  ] as const)("is %s: its rollout is cancelled, its canary ends", (how, transition, expected) => {
    const error = `Cancelled: the deployment was ${how}`;
    const { deployment, ended } = transition(underWay, now);
    expect(deployment).toMatchObject({ ...expected, generation: 5, rollout: { id: "r2", status: "Failed", error } });
    expect(deployment.canary).toBeUndefined();
    expect(ended).toMatchObject({ id: "r2", from: "InProgress", status: "Failed", error });
    expect(transition(serving, now).ended).toBeUndefined();
    expect(transition(serving, now).deployment.rollout).toEqual(serving.rollout);
  });
});

describe("a canary", () => {
  it("leaves the rollout alone", () => {
    const canary = { versionId: "v9", percent: 5 };
    const { deployment, ended } = toCanary(underWay, canary, now);
    expect([deployment.canary, deployment.rollout, deployment.generation, ended]).toEqual([
      canary,
      underWay.rollout,
      5,
      undefined,
    ]);
  });
});

describe("a rollout", () => {
  const all: RolloutStatus[] = ["Queued", "InProgress", "Succeeded", "Failed", "RolledBack", "Superseded"];

  it.each<[RolloutStatus, RolloutStatus[]]>([
    ["Queued", ["InProgress", "Failed", "Superseded"]],
    ["InProgress", ["Succeeded", "Failed", "Superseded"]],
    ["Succeeded", ["RolledBack"]],
    ["Failed", []],
    ["RolledBack", []],
    ["Superseded", []],
  ])("that is %s may become %j", (from, expected) => {
    expect(all.filter((to) => canTransition(from, to))).toEqual(expected);
  });

  it("is under way until it has ended", () => {
    expect(all.filter(isUnderWay)).toEqual(["Queued", "InProgress"]);
  });

  it("fails with a reason, however much there is to say", () => {
    expect(rolloutError("Timeout", "it was not ready in time")).toBe("Timeout: it was not ready in time");
    expect(rolloutError("ModelLoadFailed", "x".repeat(9_999))).toHaveLength(1_000);
  });
});
