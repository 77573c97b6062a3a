import { describe, expect, it } from "vitest";
import type { DeploymentVersion } from "../deployment-versions/deployment-version.ts";
import { defaultRunConfig } from "../deployment-versions/run-config.ts";
import type { Deployment, DeploymentStatus, DesiredState } from "../deployments/deployment.ts";
import { type RolloutStatus, rolloutReasons } from "../rollouts/rollout.ts";
import type { InstanceState, ObservedInstance } from "../serving/serving-driver.ts";
import { decide } from "./decide.ts";
import type { ObservedState } from "./observed-state.ts";

const now = new Date("2026-01-01T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

const version = (id: string, number: number, runConfig = {}): DeploymentVersion => ({
  ...{ id, number, organisationId: "o", deploymentId: "d", modelVersionId: `model of ${id}`, models: [], datasets: [] },
  ...{ runtime: "onnx", digest: "", bundleText: undefined, interface: undefined, files: [] },
  runConfig: { ...defaultRunConfig, ...runConfig },
  ...{ modelName: "m", createdAt: now },
});

const instance = (name: string, state: InstanceState, more: Partial<ObservedInstance> = {}): ObservedInstance => ({
  ...{ name, state, inFlight: 0, restarts: 0 },
  ...(state === "ready" ? { url: `http://${name}` } : {}),
  ...more,
});

interface Given {
  desiredState?: DesiredState;
  status?: DeploymentStatus;
  current?: string | undefined;
  target?: string;
  rollout?: RolloutStatus;
  deployment?: Partial<Deployment>;
  observed?: Record<string, ObservedInstance[]>;
  runConfig?: object;
  state?: Partial<ObservedState>;
}

function stateOf(given: Given): ObservedState {
  const { desiredState = "serve", status = "Running", target = "v1", rollout = "Succeeded", observed = {} } = given;
  const current = "current" in given ? given.current : "v1";
  const deployment: Deployment = {
    ...{ status, desiredState, id: "d", organisationId: "o", name: "d", description: "", serviceName: "d" },
    modelId: "m",
    ...{ modelVersionId: undefined, annotations: "{}", environment: "development", runConfig: defaultRunConfig },
    ...{ runConfigText: undefined, generation: 1, currentVersionId: current, targetModelVersionId: undefined },
    rollout: { id: "r", versionId: target, status: rollout, error: undefined, queuedAt: ago(9) },
    ...{ canary: undefined, endpoints: [], instances: [], wakeRequestedAt: undefined, lease: undefined },
    ...{ lowerEnvDeploymentId: undefined, higherEnvDeploymentId: undefined, createdAt: ago(99), updatedAt: ago(9) },
    ...given.deployment,
  };
  const versions = ["v1", "v2", "v3"].map((id, index) => version(id, index + 1, given.runConfig));
  return {
    deployment,
    versions: new Map(versions.map((each) => [each.id, each])),
    instancesByVersion: new Map(Object.entries(observed)),
    ...{ scales: new Map(), retired: new Map(), rolloutSince: ago(1), isUsageDue: false, now },
    options: { rolloutTimeoutMs: 60_000, drainMs: 3_000 },
    ...given.state,
  };
}

/** What a decision comes to, in few words. */
function gist(given: Given) {
  const { patch, desired, removed, retired, isGone, rolledBackVersionId } = decide(stateOf(given));
  return {
    status: patch.status,
    current: patch.currentVersionId,
    rollout: patch.rollout?.status,
    error: patch.rollout?.error,
    endpoints: patch.endpoints?.map(({ versionId, url }) => `${versionId} ${url}`),
    desired: Object.fromEntries([...desired].map(([id, { count }]) => [id, count])),
    removed: [...removed],
    retired: [...retired.keys()],
    isGone,
    rolledBackVersionId,
  };
}

const a = { v1: [instance("a", "ready")] };
const servedByA = { endpoints: [{ versionId: "v1", url: "http://a" }] };
const nothing = {
  ...{ status: undefined, current: undefined, rollout: undefined, error: undefined, endpoints: undefined },
  ...{ desired: {}, removed: [], retired: [], isGone: false, rolledBackVersionId: undefined },
};
const updating: Given = { status: "Updating", target: "v2", rollout: "InProgress", deployment: servedByA };
const deploying: Given = { status: "Deploying", current: undefined, target: "v1", rollout: "InProgress" };

const stopped = { desiredState: "stopped" } as const;
const deleted = { desiredState: "deleted" } as const;

type Row = [when: string, given: Given, expected: Partial<ReturnType<typeof gist>>];

const rows: Row[] = [
  [
    "a first rollout is queued",
    { status: "Pending", current: undefined, rollout: "Queued" },
    { status: "Deploying", rollout: "InProgress" },
  ],
  ["a first rollout begins", deploying, { desired: { v1: 1 } }],
  ["a first version starts", { ...deploying, observed: { v1: [instance("a", "starting")] } }, { desired: { v1: 1 } }],
  [
    "a first version is ready",
    { ...deploying, observed: a },
    { status: "Running", rollout: "Succeeded", current: "v1", desired: { v1: 1 }, endpoints: ["v1 http://a"] },
  ],
  [
    "a first version fails",
    { ...deploying, observed: { v1: [instance("a", "failed", { reason: "ModelLoadFailed", detail: "no weights" })] } },
    { status: "Failed", rollout: "Failed", error: "ModelLoadFailed: no weights", removed: ["v1"] },
  ],
  [
    "a first version is late",
    {
      ...deploying,
      observed: { v1: [instance("a", "starting", { detail: "it ended" })] },
      state: { rolloutSince: ago(60) },
    },
    {
      status: "Failed",
      rollout: "Failed",
      error: "Timeout: The version was not ready within 60 s; last seen: it ended",
      removed: ["v1"],
    },
  ],
  [
    "a first version has gone from the store",
    { ...deploying, state: { versions: new Map() } },
    { status: "Failed", rollout: "Failed", error: "InvalidBundle: The version no longer exists." },
  ],
  [
    "only one of two instances that a version needs is ready",
    { ...deploying, observed: a, runConfig: { minInstances: 2, maxInstances: 2 } },
    { desired: { v1: 2 } },
  ],
  [
    "another rollout is queued",
    { target: "v2", rollout: "Queued", deployment: servedByA, observed: a },
    { status: "Updating", rollout: "InProgress", desired: { v1: 1 } },
  ],
  [
    "another version starts",
    { ...updating, observed: { ...a, v2: [instance("b", "starting")] } },
    { desired: { v1: 1, v2: 1 } },
  ],
  [
    "another version is ready",
    { ...updating, observed: { ...a, v2: [instance("b", "ready")] } },
    {
      status: "Running",
      rollout: "Succeeded",
      current: "v2",
      desired: { v2: 1 },
      endpoints: ["v2 http://b"],
      retired: ["v1"],
    },
  ],
  [
    "another version fails",
    {
      ...updating,
      observed: { ...a, v2: [instance("b", "failed", { reason: "ArtifactMissing", detail: "not there" })] },
    },
    { status: "Running", rollout: "Failed", error: "ArtifactMissing: not there", desired: { v1: 1 }, removed: ["v2"] },
  ],
  [
    "another version fails while what served is not healthy",
    { ...updating, observed: { v1: [instance("a", "unhealthy")], v2: [instance("b", "failed")] } },
    {
      status: "Unhealthy",
      rollout: "Failed",
      error: "HealthCheckFailed: An instance does not become ready.",
      endpoints: [],
      desired: { v1: 1 },
      removed: ["v2"],
    },
  ],
  [
    "a rollout was superseded",
    { ...updating, target: "v3", rollout: "Queued", observed: { ...a, v2: [instance("b", "starting")] } },
    { rollout: "InProgress", desired: { v1: 1 }, removed: ["v2"] },
  ],
  [
    "an earlier version is ready again",
    {
      ...updating,
      current: "v2",
      target: "v1",
      deployment: { endpoints: [{ versionId: "v2", url: "http://b" }] },
      observed: { ...a, v2: [instance("b", "ready")] },
    },
    {
      status: "Running",
      rollout: "Succeeded",
      current: "v1",
      desired: { v1: 1 },
      endpoints: ["v1 http://a"],
      retired: ["v2"],
      rolledBackVersionId: "v2",
    },
  ],
  [
    "what served is asleep while another version starts",
    { ...updating, deployment: {}, runConfig: { minInstances: 0, idleSeconds: 5 }, observed: { v1: [] } },
    { desired: { v1: 0, v2: 1 } },
  ],
  ["all is well", { deployment: servedByA, observed: a }, { desired: { v1: 1 } }],
  [
    "its instance is not healthy",
    { deployment: servedByA, observed: { v1: [instance("a", "unhealthy")] } },
    { status: "Unhealthy", endpoints: [], desired: { v1: 1 } },
  ],
  [
    "one of two instances is not healthy",
    {
      deployment: servedByA,
      observed: { v1: [instance("a", "ready"), instance("b", "unhealthy")] },
      runConfig: { minInstances: 2, maxInstances: 2 },
    },
    { desired: { v1: 2 } },
  ],
  [
    "its instances died with their replica",
    { deployment: servedByA },
    { status: "Unhealthy", endpoints: [], desired: { v1: 1 } },
  ],
  [
    "it is healthy again",
    { status: "Unhealthy", observed: a },
    { status: "Running", endpoints: ["v1 http://a"], desired: { v1: 1 } },
  ],
  [
    "it falls asleep",
    {
      deployment: servedByA,
      observed: a,
      runConfig: { minInstances: 0, idleSeconds: 5 },
      state: { scales: new Map([["v1", { count: 1, neededAt: ago(5) }]]) },
    },
    { desired: { v1: 0 } },
  ],
  [
    "it is asked to wake up",
    { deployment: { wakeRequestedAt: now }, observed: { v1: [] }, runConfig: { minInstances: 0, idleSeconds: 5 } },
    { desired: { v1: 1 } },
  ],
  [
    "it wakes up",
    {
      deployment: { wakeRequestedAt: now },
      observed: { v1: [instance("a", "starting")] },
      runConfig: { minInstances: 0, idleSeconds: 5 },
    },
    { desired: { v1: 1 } },
  ],
  [
    "it cannot wake up",
    {
      deployment: { wakeRequestedAt: now },
      observed: { v1: [instance("a", "starting", { restarts: 1 })] },
      runConfig: { minInstances: 0, idleSeconds: 5 },
    },
    { status: "Unhealthy", desired: { v1: 1 } },
  ],
  [
    "predictions fill its instance",
    {
      deployment: servedByA,
      observed: { v1: [instance("a", "ready", { inFlight: 16 })] },
      runConfig: { maxInstances: 4 },
    },
    { desired: { v1: 2 } },
  ],
  [
    "a canary is set",
    { deployment: { ...servedByA, canary: { versionId: "v2", percent: 5 } }, observed: a },
    { desired: { v1: 1, v2: 1 } },
  ],
  [
    "a canary is ready",
    {
      deployment: { ...servedByA, canary: { versionId: "v2", percent: 5 } },
      observed: { ...a, v2: [instance("b", "ready")] },
    },
    { desired: { v1: 1, v2: 1 }, endpoints: ["v1 http://a", "v2 http://b"] },
  ],
  [
    "a canary fails",
    {
      deployment: { ...servedByA, canary: { versionId: "v2", percent: 5 } },
      observed: { ...a, v2: [instance("b", "failed")] },
    },
    { desired: { v1: 1, v2: 1 } },
  ],
  [
    "a canary was ended",
    {
      deployment: {
        endpoints: [
          { versionId: "v1", url: "http://a" },
          { versionId: "v2", url: "http://b" },
        ],
      },
      observed: { ...a, v2: [instance("b", "ready")] },
    },
    { desired: { v1: 1 }, endpoints: ["v1 http://a"], retired: ["v2"] },
  ],
  [
    "a version was replaced a moment ago",
    {
      deployment: servedByA,
      observed: { ...a, v2: [instance("b", "ready")] },
      state: { retired: new Map([["v2", ago(2)]]) },
    },
    { desired: { v1: 1 }, retired: ["v2"] },
  ],
  [
    "a version was replaced long enough ago",
    {
      deployment: servedByA,
      observed: { ...a, v2: [instance("b", "ready")] },
      state: { retired: new Map([["v2", ago(3)]]) },
    },
    { desired: { v1: 1 }, removed: ["v2"] },
  ],
  ["it is to stop", { ...stopped, deployment: servedByA, observed: a }, { endpoints: [], removed: ["v1"] }],
  ["it has stopped", stopped, { status: "Stopped" }],
  ["it stays stopped", { ...stopped, status: "Stopped" }, {}],
  [
    "a stopped one is to start",
    { status: "Pending", rollout: "Queued" },
    { status: "Deploying", rollout: "InProgress" },
  ],
  [
    "a stopped one starts",
    { status: "Deploying", rollout: "InProgress", observed: { v1: [instance("a", "starting")] } },
    { desired: { v1: 1 } },
  ],
  [
    "a stopped one cannot start",
    {
      status: "Deploying",
      rollout: "InProgress",
      observed: { v1: [instance("a", "failed", { reason: "ResourcesUnavailable", detail: "no memory" })] },
    },
    { status: "Failed", rollout: "Failed", error: "ResourcesUnavailable: no memory", removed: ["v1"] },
  ],
  ["one that failed is left alone", { status: "Failed", current: undefined, rollout: "Failed" }, {}],
  [
    "it is to be deleted",
    { ...deleted, status: "Deleting", deployment: servedByA, observed: a },
    { endpoints: [], removed: ["v1"] },
  ],
  ["one that is to be deleted has no instance left", { ...deleted, status: "Deleting" }, { isGone: true }],
];

describe("what is done about a deployment", () => {
  it.each(rows)("when %s", (_when, given, expected) => {
    expect(gist(given)).toEqual({ ...nothing, ...expected });
  });

  it.each(rolloutReasons)("passes the reason on: %s", (reason) => {
    const observed = { v1: [instance("a", "failed", { reason, detail: "so it is" })] };
    expect(gist({ ...deploying, observed })).toMatchObject({ rollout: "Failed", error: `${reason}: so it is` });
  });

  it("is the same for a replica that takes over: nothing that was decided is decided again", () => {
    const first = stateOf({ ...deploying, observed: a });
    const { patch, desired } = decide(first);
    const next = decide({ ...first, deployment: { ...first.deployment, ...patch } });
    expect(next).toMatchObject({ patch: {}, removed: [] });
    expect([...next.desired.keys()]).toEqual([...desired.keys()]);
  });

  it("stores an address once, however many instances share it", () => {
    const shared = [instance("a", "ready", { url: "http://s" }), instance("b", "ready", { url: "http://s" })];
    expect(gist({ observed: { v1: shared }, runConfig: { minInstances: 2, maxInstances: 2 } }).endpoints).toEqual([
      "v1 http://s",
    ]);
  });

  it("ends the canary that became the current version", () => {
    const deployment = { ...servedByA, canary: { versionId: "v2", percent: 50 } };
    const { patch } = decide(stateOf({ ...updating, deployment, observed: { ...a, v2: [instance("b", "ready")] } }));
    expect(patch).toMatchObject({ currentVersionId: "v2", modelVersionId: "model of v2", canary: undefined });
    expect("canary" in patch).toBe(true);
  });

  it("stores the count of predictions only when it is time to", () => {
    const observed = { v1: [instance("a", "ready", { inFlight: 3 })] };
    const instances = [
      { ...{ versionId: "v1", name: "a", state: "ready" as const, inFlight: 0, restarts: 0 }, detail: undefined },
    ];
    const given = { deployment: { ...servedByA, instances }, observed };
    expect(decide(stateOf(given)).patch).toEqual({});
    expect(decide(stateOf({ ...given, state: { isUsageDue: true } })).patch.instances).toMatchObject([{ inFlight: 3 }]);
  });
});
