import { describe, expect, it } from "@jest/globals";
import type { Deployment, DeploymentStatus, RolloutStatus, Wish } from "./deployment.ts";
import {
  type Answer,
  answers,
  DeploymentMoveError,
  isToDo,
  type Move,
  statusOnceQueued,
  wishCanary,
  wishDeletion,
  wishStop,
  wishVersion,
} from "./moves.ts";
import { canMove, isUnderWay, rolloutError } from "./rollout.ts";
import { usualRunConfig } from "./run-config.ts";

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
  runConfig: usualRunConfig,
  runConfigText: undefined,
  wish: "serve",
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
  lease: undefined,
  createdAt: before,
  updatedAt: before,
};
const underWay: Deployment = { ...serving, rollout: { ...serving.rollout, id: "r2", status: "InProgress" } };
const next = { rolloutId: "r3", versionId: "v3", modelVersionId: "m3" };

describe("what may be asked of a deployment", () => {
  const rows: [Move, Record<Wish, Answer>][] = [
    ["roll_out", { serve: "goes", stopped: "goes", deleted: "refused" }],
    ["update", { serve: "goes", stopped: "goes", deleted: "refused" }],
    ["roll_back", { serve: "goes", stopped: "goes", deleted: "refused" }],
    ["set_canary", { serve: "goes", stopped: "refused", deleted: "refused" }],
    ["end_canary", { serve: "goes", stopped: "done", deleted: "refused" }],
    ["promote", { serve: "goes", stopped: "refused", deleted: "refused" }],
    ["stop", { serve: "goes", stopped: "done", deleted: "refused" }],
    ["start", { serve: "done", stopped: "goes", deleted: "refused" }],
    ["delete", { serve: "goes", stopped: "goes", deleted: "done" }],
  ];

  it.each(rows)("%s", (move, expected) => {
    const outcomes = Object.keys(expected).map((wish) => [wish, outcomeOf(move, wish as Wish)]);
    expect(Object.fromEntries(outcomes)).toEqual(expected);
  });

  it("is all in the table", () => {
    expect(rows.map(([move]) => move).toSorted()).toEqual(Object.keys(answers).toSorted());
  });

  it.each<[Wish, string]>([
    ["stopped", "The deployment is stopped"],
    ["deleted", "The deployment is being deleted"],
  ])("is refused with what it is: %s", (wish, message) => {
    expect(() => isToDo("promote", { id: "d", wish })).toThrow(message);
  });

  function outcomeOf(move: Move, wish: Wish): Answer {
    try {
      return isToDo(move, { id: "d", wish }) ? "goes" : "done";
    } catch (error) {
      if (error instanceof DeploymentMoveError) return "refused";
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

  it("keeps what serves, and counts the wish", () => {
    const { deployment, ended } = wishVersion(serving, next, now);
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
    expect(wishVersion(underWay, next, now).ended).toEqual({
      id: "r2",
      from: "InProgress",
      status: "Superseded",
      error: undefined,
      endedAt: now,
    });
  });

  it("before anything has served is of the version that is to serve first", () => {
    const waiting = { ...serving, currentVersionId: undefined };
    expect(wishVersion(waiting, next, now).deployment.modelVersionId).toBe("m3");
  });
});

describe("a deployment that is not to serve", () => {
  it.each([
    ["stopped", wishStop, { wish: "stopped", status: "Running" }],
    ["deleted", wishDeletion, { wish: "deleted", status: "Deleting" }],
  ] as const)("is %s: its rollout is cancelled, its canary ends", (how, wish, expected) => {
    const error = `Cancelled: the deployment was ${how}`;
    const { deployment, ended } = wish(underWay, now);
    expect(deployment).toMatchObject({ ...expected, generation: 5, rollout: { id: "r2", status: "Failed", error } });
    expect(deployment.canary).toBeUndefined();
    expect(ended).toMatchObject({ id: "r2", from: "InProgress", status: "Failed", error });
    expect(wish(serving, now).ended).toBeUndefined();
    expect(wish(serving, now).deployment.rollout).toEqual(serving.rollout);
  });
});

describe("a canary", () => {
  it("leaves the rollout alone", () => {
    const canary = { versionId: "v9", percent: 5 };
    const { deployment, ended } = wishCanary(underWay, canary, now);
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
    expect(all.filter((to) => canMove(from, to))).toEqual(expected);
  });

  it("is under way until it has ended", () => {
    expect(all.filter(isUnderWay)).toEqual(["Queued", "InProgress"]);
  });

  it("fails with a reason, however much there is to say", () => {
    expect(rolloutError("Timeout", "it was not ready in time")).toBe("Timeout: it was not ready in time");
    expect(rolloutError("ModelLoadFailed", "x".repeat(9_999))).toHaveLength(1_000);
  });
});
