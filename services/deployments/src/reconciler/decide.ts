import { isDeepStrictEqual } from "node:util";
import type {
  Deployment,
  DeploymentStatus,
  DesiredState,
  Endpoint,
  InstanceStatus,
} from "../deployments/deployment.ts";
import { type RolloutFailure, rolloutError } from "../rollouts/rollout.ts";
import type { ObservedInstance } from "../serving/serving-driver.ts";
import type { ObservedState } from "./observed-state.ts";
import { firstScale, scale, type VersionScale } from "./scale.ts";

/** What a decision may change of a deployment: its status, never what is desired of it. */
export type StatusPatch = Partial<
  Pick<Deployment, "status" | "currentVersionId" | "modelVersionId" | "rollout" | "canary" | "endpoints" | "instances">
>;

/** What is to be done, in this order: the patch is stored, the scales are applied, versions are removed. */
export interface Decision {
  /** What becomes of the deployment's document; empty where it stays. */
  patch: StatusPatch;
  /** A version that was rolled back. */
  rolledBackVersionId: string | undefined;
  /** How many instances each version is to have. */
  desired: ReadonlyMap<string, VersionScale>;
  /** Versions whose instances are to end now. */
  removed: readonly string[];
  /** Versions that were replaced and go on for a moment. */
  retired: ReadonlyMap<string, Date>;
  /** The deployment is to be deleted, and no instance of it is left. */
  isGone: boolean;
}

/** What a row of the table says; the rest follows from it. */
interface Outcome {
  /** Changes, not counting what is seen of instances. */
  patch: StatusPatch;
  desired: Map<string, VersionScale>;
  rolledBackVersionId?: string;
}

/** Statuses in which the current version answers, or ought to. */
const serving: ReadonlySet<DeploymentStatus> = new Set(["Running", "Updating", "Unhealthy"]);

/** What each desired state, and how far it has come, asks for. */
const rows: Readonly<Record<DesiredState, (state: ObservedState) => Outcome>> = {
  deleted: () => ({ patch: { status: "Deleting" }, desired: new Map() }),
  stopped: ({ instancesByVersion }) => ({
    patch: instancesByVersion.size === 0 ? { status: "Stopped" } : {},
    desired: new Map(),
  }),
  serve: (state) => {
    const { status } = state.deployment.rollout;
    if (status === "Queued") return begin(state);
    return status === "InProgress" ? roll(state) : settle(state, state.deployment.status);
  },
};

/**
 * What is to be done about a deployment now: a function of what is desired, what is observed and the time, so that a replica
 * that takes over goes on in the same way. Doing only a part of it, or doing it twice, is harmless.
 */
export function decide(state: ObservedState): Decision {
  const { deployment, instancesByVersion } = state;
  const { patch, desired, rolledBackVersionId } = rows[deployment.desiredState](state);
  const after = { ...deployment, ...patch };
  const seen = { endpoints: endpointsOf(after, instancesByVersion), instances: instancesOf(state) };
  const { removed, retired } = endingOf(state, desired);
  return {
    patch: differences(deployment, { ...patch, ...seen }),
    rolledBackVersionId,
    desired,
    removed,
    retired,
    isGone: deployment.desiredState === "deleted" && instancesByVersion.size === 0,
  };
}

function begin(state: ObservedState): Outcome {
  const { deployment } = state;
  const status = serves(deployment) ? "Updating" : "Deploying";
  const rollout = { ...deployment.rollout, status: "InProgress" as const };
  return { patch: { status, rollout }, desired: current(state) };
}

/** The rollout under way: waits, succeeds or fails; what serves goes on meanwhile. */
function roll(state: ObservedState): Outcome {
  const { deployment, versions, instancesByVersion } = state;
  const { versionId } = deployment.rollout;
  const version = versions.get(versionId);
  if (!version) return fail(state, { reason: "InvalidBundle", message: "The version no longer exists." });
  const instances = instancesByVersion.get(versionId) ?? [];
  const needed = Math.max(1, version.runConfig.minInstances);
  if (instances.filter(isReady).length >= needed) return succeed(state);
  const failure = failureOf(instances) ?? lateness(state, instances);
  if (failure) return fail(state, failure);
  const desired = current(state);
  const known = desired.get(versionId) ?? state.scales.get(versionId);
  const count = Math.max(needed, known?.count ?? 0);
  return { patch: {}, desired: desired.set(versionId, { count, neededAt: state.now }) };
}

function succeed(state: ObservedState): Outcome {
  const { deployment, versions, scales, now } = state;
  const { versionId } = deployment.rollout;
  const former = deployment.currentVersionId ? versions.get(deployment.currentVersionId) : undefined;
  const version = versions.get(versionId);
  const patch: StatusPatch = {
    status: "Running",
    currentVersionId: versionId,
    modelVersionId: version?.modelVersionId,
    rollout: { ...deployment.rollout, status: "Succeeded", error: undefined },
    canary: deployment.canary?.versionId === versionId ? undefined : deployment.canary,
  };
  // Its time without use begins now.
  const rested = new Map(scales).set(versionId, { count: scales.get(versionId)?.count ?? 1, neededAt: now });
  const desired = current({ ...state, scales: rested, deployment: { ...deployment, ...patch } });
  const isBack = former !== undefined && version !== undefined && version.number < former.number;
  return { patch, desired, ...(isBack ? { rolledBackVersionId: former.id } : {}) };
}

function fail(state: ObservedState, { reason, message }: RolloutFailure): Outcome {
  const { deployment } = state;
  const error = rolloutError(reason, message);
  const rollout = { ...deployment.rollout, status: "Failed" as const, error };
  const settled = settle(state, serves(deployment) ? "Running" : "Failed");
  return { ...settled, patch: { ...settled.patch, rollout } };
}

/** No rollout is under way: what serves is kept healthy and as large as its use asks for. */
function settle(state: ObservedState, status: DeploymentStatus): Outcome {
  const deployment = { ...state.deployment, status };
  const desired = current({ ...state, deployment });
  return { patch: { status: serves(deployment) ? healthOf(state, desired) : status }, desired };
}

/** The versions that serve, each with as many instances as it needs. */
function current(state: ObservedState): Map<string, VersionScale> {
  const { deployment } = state;
  const desired = new Map<string, VersionScale>();
  if (!serves(deployment) || deployment.currentVersionId === undefined) return desired;
  const ofCurrent = scaleOf(state, deployment.currentVersionId);
  desired.set(deployment.currentVersionId, ofCurrent);
  const { canary } = deployment;
  if (canary && canary.versionId !== deployment.currentVersionId) {
    const ofCanary = scaleOf(state, canary.versionId);
    // A share is answered only by an instance that runs: the canary sleeps with the current version, not before it.
    const count = ofCurrent.count === 0 ? 0 : Math.max(1, ofCanary.count);
    desired.set(canary.versionId, { ...ofCanary, count });
  }
  return desired;
}

function scaleOf(
  { deployment, versions, instancesByVersion, scales, now }: ObservedState,
  versionId: string,
): VersionScale {
  const version = versions.get(versionId);
  if (!version) return { count: 0, neededAt: now };
  const instances = instancesByVersion.get(versionId) ?? [];
  const had = deployment.endpoints.filter((endpoint) => endpoint.versionId === versionId).length;
  const before = scales.get(versionId) ?? firstScale(version.runConfig, had, now);
  return scale(before, useOf(instances, deployment.wakeRequestedAt), version.runConfig, now);
}

function useOf(instances: readonly ObservedInstance[], wakeRequestedAt: Date | undefined) {
  const times = instances.flatMap(({ lastUsedAt }) => (lastUsedAt ? [lastUsedAt.getTime()] : []));
  return {
    inFlight: instances.reduce((sum, { inFlight }) => sum + inFlight, 0),
    lastUsedAt: times.length > 0 ? new Date(Math.max(...times)) : undefined,
    wakeRequestedAt,
  };
}

/** Whether what serves does. Asleep, and waking up from it, is well. */
function healthOf(
  { deployment, instancesByVersion }: ObservedState,
  desired: ReadonlyMap<string, VersionScale>,
): DeploymentStatus {
  const versionId = deployment.currentVersionId ?? "";
  const instances = instancesByVersion.get(versionId) ?? [];
  if (instances.some(isReady) || desired.get(versionId)?.count === 0) return "Running";
  const isSick = instances.some(({ state, restarts }) => state !== "starting" || restarts > 0);
  const wasAsleep = deployment.endpoints.length === 0 && deployment.status === "Running";
  return wasAsleep && !isSick ? "Running" : "Unhealthy";
}

function serves({ status, currentVersionId }: Pick<Deployment, "status" | "currentVersionId">): boolean {
  return currentVersionId !== undefined && serving.has(status);
}

function isReady({ state }: ObservedInstance): boolean {
  return state === "ready";
}

function failureOf(instances: readonly ObservedInstance[]): RolloutFailure | undefined {
  const failed = instances.find(({ state }) => state === "failed");
  if (!failed) return undefined;
  return {
    reason: failed.reason ?? "HealthCheckFailed",
    message: failed.detail ?? "An instance does not become ready.",
  };
}

function lateness(
  { rolloutSince, options, now }: ObservedState,
  instances: readonly ObservedInstance[],
): RolloutFailure | undefined {
  if (!rolloutSince || now.getTime() - rolloutSince.getTime() < options.rolloutTimeoutMs) return undefined;
  const seconds = Math.round(options.rolloutTimeoutMs / 1_000);
  const last = instances.find(({ state, detail }) => state !== "ready" && detail)?.detail;
  return {
    reason: "Timeout",
    message: `The version was not ready within ${seconds} s${last === undefined ? "." : `; last seen: ${last}`}`,
  };
}

/** What predictions are sent to: ready instances of what serves, each address once. */
function endpointsOf(after: Deployment, instancesByVersion: ObservedState["instancesByVersion"]): Endpoint[] {
  if (after.desiredState !== "serve" || !serves(after)) return [];
  const versionIds = [...new Set([after.currentVersionId ?? "", ...(after.canary ? [after.canary.versionId] : [])])];
  const found = versionIds.flatMap((versionId) =>
    (instancesByVersion.get(versionId) ?? []).flatMap((instance) =>
      isReady(instance) && instance.url !== undefined ? [{ versionId, url: instance.url }] : [],
    ),
  );
  return [...new Map(found.map((endpoint) => [endpoint.url, endpoint])).values()];
}

/** The instances to store: as they were while only the count of their predictions differs. */
function instancesOf({ deployment, instancesByVersion, isUsageDue }: ObservedState): InstanceStatus[] {
  const seen = [...instancesByVersion].flatMap(([versionId, instances]) =>
    instances.map(({ name, state, detail, inFlight, restarts }) => ({
      ...{ versionId, name, state, inFlight, restarts },
      detail: state === "ready" ? undefined : detail,
    })),
  );
  const withoutUse = (instances: InstanceStatus[]) => instances.map((instance) => ({ ...instance, inFlight: 0 }));
  const isSame = isDeepStrictEqual(withoutUse(seen), withoutUse(deployment.instances));
  return isSame && !isUsageDue ? deployment.instances : seen;
}

/** A version that is no longer desired ends: at once, or after a moment where predictions were sent to it. */
function endingOf(state: ObservedState, desired: ReadonlyMap<string, VersionScale>) {
  const { deployment, instancesByVersion, now, options } = state;
  const removed: string[] = [];
  const retired = new Map<string, Date>();
  for (const versionId of instancesByVersion.keys()) {
    if (desired.has(versionId)) continue;
    const since =
      state.retired.get(versionId) ??
      (deployment.endpoints.some((endpoint) => endpoint.versionId === versionId) ? now : undefined);
    const isOver = since === undefined || now.getTime() - since.getTime() >= options.drainMs;
    if (deployment.desiredState !== "serve" || isOver) removed.push(versionId);
    else retired.set(versionId, since);
  }
  return { removed, retired };
}

function differences(deployment: Deployment, patch: StatusPatch): StatusPatch {
  const entries = Object.entries(patch).filter(
    ([name, value]) => !isDeepStrictEqual(value, Object.entries(deployment).find(([field]) => field === name)?.[1]),
  );
  return Object.fromEntries(entries);
}
