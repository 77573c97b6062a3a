import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentStatus, Endpoint, SeenInstance, Wish } from "../deployments/deployment.ts";
import { rolloutError } from "../deployments/rollout.ts";
import type { ObservedInstance } from "../serving/serving-driver.ts";
import { firstScale, scale, type VersionScale } from "./scale.ts";
import type { Decision, DeploymentMove, RolloutFailure, Situation } from "./situation.ts";

/** What a row of the table says; the rest follows from it. */
interface Outcome {
  /** Changes, not counting what is seen of instances. */
  moves: DeploymentMove;
  wanted: Map<string, VersionScale>;
  rolledBackVersionId?: string;
}

/** Statuses in which the current version answers, or ought to. */
const serving: ReadonlySet<DeploymentStatus> = new Set(["Running", "Updating", "Unhealthy"]);

/** What each wish, and how far it has come, asks for. */
const rows: Readonly<Record<Wish, (situation: Situation) => Outcome>> = {
  deleted: () => ({ moves: { status: "Deleting" }, wanted: new Map() }),
  stopped: ({ observed }) => ({ moves: observed.size === 0 ? { status: "Stopped" } : {}, wanted: new Map() }),
  serve: (situation) => {
    const { status } = situation.deployment.rollout;
    if (status === "Queued") return begin(situation);
    return status === "InProgress" ? roll(situation) : settle(situation, situation.deployment.status);
  },
};

/**
 * What is to be done about a deployment now: a function of what is wanted, what is seen and the time, so that a replica
 * that takes over goes on in the same way. Doing only a part of it, or doing it twice, is harmless.
 */
export function decide(situation: Situation): Decision {
  const { deployment, observed } = situation;
  const { moves, wanted, rolledBackVersionId } = rows[deployment.wish](situation);
  const after = { ...deployment, ...moves };
  const seen = { endpoints: endpointsOf(after, observed), instances: instancesOf(situation) };
  const { removed, retired } = endingOf(situation, wanted);
  return {
    changes: differences(deployment, { ...moves, ...seen }),
    rolledBackVersionId,
    wanted,
    removed,
    retired,
    isGone: deployment.wish === "deleted" && observed.size === 0,
  };
}

function begin(situation: Situation): Outcome {
  const { deployment } = situation;
  const status = serves(deployment) ? "Updating" : "Deploying";
  const rollout = { ...deployment.rollout, status: "InProgress" as const };
  return { moves: { status, rollout }, wanted: current(situation) };
}

/** The rollout under way: waits, succeeds or fails; what serves goes on meanwhile. */
function roll(situation: Situation): Outcome {
  const { deployment, versions, observed } = situation;
  const { versionId } = deployment.rollout;
  const version = versions.get(versionId);
  if (!version) return fail(situation, { reason: "InvalidBundle", message: "The version no longer exists." });
  const instances = observed.get(versionId) ?? [];
  const needed = Math.max(1, version.runConfig.minInstances);
  if (instances.filter(isReady).length >= needed) return succeed(situation);
  const failure = failureOf(instances) ?? lateness(situation, instances);
  if (failure) return fail(situation, failure);
  const wanted = current(situation);
  const known = wanted.get(versionId) ?? situation.scales.get(versionId);
  const count = Math.max(needed, known?.count ?? 0);
  return { moves: {}, wanted: wanted.set(versionId, { count, neededAt: situation.now }) };
}

function succeed(situation: Situation): Outcome {
  const { deployment, versions, scales, now } = situation;
  const { versionId } = deployment.rollout;
  const former = deployment.currentVersionId ? versions.get(deployment.currentVersionId) : undefined;
  const version = versions.get(versionId);
  const moves: DeploymentMove = {
    status: "Running",
    currentVersionId: versionId,
    modelVersionId: version?.modelVersionId,
    rollout: { ...deployment.rollout, status: "Succeeded", error: undefined },
    canary: deployment.canary?.versionId === versionId ? undefined : deployment.canary,
  };
  // Its time without use begins now.
  const rested = new Map(scales).set(versionId, { count: scales.get(versionId)?.count ?? 1, neededAt: now });
  const outcome = { moves, wanted: current({ ...situation, scales: rested, deployment: { ...deployment, ...moves } }) };
  const isBack = former !== undefined && version !== undefined && version.number < former.number;
  return isBack ? { ...outcome, rolledBackVersionId: former.id } : outcome;
}

function fail(situation: Situation, { reason, message }: RolloutFailure): Outcome {
  const { deployment } = situation;
  const error = rolloutError(reason, message);
  const rollout = { ...deployment.rollout, status: "Failed" as const, error };
  const settled = settle(situation, serves(deployment) ? "Running" : "Failed");
  return { ...settled, moves: { ...settled.moves, rollout } };
}

/** No rollout is under way: what serves is kept healthy and as large as its use asks for. */
function settle(situation: Situation, status: DeploymentStatus): Outcome {
  const deployment = { ...situation.deployment, status };
  const wanted = current({ ...situation, deployment });
  return { moves: { status: serves(deployment) ? healthOf(situation, wanted) : status }, wanted };
}

/** The versions that serve, each with as many instances as it needs. */
function current(situation: Situation): Map<string, VersionScale> {
  const { deployment } = situation;
  const wanted = new Map<string, VersionScale>();
  if (!serves(deployment) || deployment.currentVersionId === undefined) return wanted;
  const ofCurrent = scaleOf(situation, deployment.currentVersionId);
  wanted.set(deployment.currentVersionId, ofCurrent);
  const { canary } = deployment;
  if (canary && canary.versionId !== deployment.currentVersionId) {
    const ofCanary = scaleOf(situation, canary.versionId);
    // A share is answered only by an instance that runs: the canary sleeps with the current version, not before it.
    const count = ofCurrent.count === 0 ? 0 : Math.max(1, ofCanary.count);
    wanted.set(canary.versionId, { ...ofCanary, count });
  }
  return wanted;
}

function scaleOf({ deployment, versions, observed, scales, now }: Situation, versionId: string): VersionScale {
  const version = versions.get(versionId);
  if (!version) return { count: 0, neededAt: now };
  const instances = observed.get(versionId) ?? [];
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
function healthOf({ deployment, observed }: Situation, wanted: ReadonlyMap<string, VersionScale>): DeploymentStatus {
  const versionId = deployment.currentVersionId ?? "";
  const instances = observed.get(versionId) ?? [];
  if (instances.some(isReady) || wanted.get(versionId)?.count === 0) return "Running";
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
  { rolloutSince, times, now }: Situation,
  instances: readonly ObservedInstance[],
): RolloutFailure | undefined {
  if (!rolloutSince || now.getTime() - rolloutSince.getTime() < times.rolloutTimeoutMs) return undefined;
  const seconds = Math.round(times.rolloutTimeoutMs / 1_000);
  const last = instances.find(({ state, detail }) => state !== "ready" && detail)?.detail;
  return {
    reason: "Timeout",
    message: `The version was not ready within ${seconds} s${last === undefined ? "." : `; last seen: ${last}`}`,
  };
}

/** What predictions are sent to: ready instances of what serves, each address once. */
function endpointsOf(after: Deployment, observed: Situation["observed"]): Endpoint[] {
  if (after.wish !== "serve" || !serves(after)) return [];
  const versionIds = [...new Set([after.currentVersionId ?? "", ...(after.canary ? [after.canary.versionId] : [])])];
  const found = versionIds.flatMap((versionId) =>
    (observed.get(versionId) ?? []).flatMap((instance) =>
      isReady(instance) && instance.url !== undefined ? [{ versionId, url: instance.url }] : [],
    ),
  );
  return [...new Map(found.map((endpoint) => [endpoint.url, endpoint])).values()];
}

/** The instances to store: as they were while only the count of their predictions differs. */
function instancesOf({ deployment, observed, isUseDue }: Situation): SeenInstance[] {
  const seen = [...observed].flatMap(([versionId, instances]) =>
    instances.map(({ name, state, detail, inFlight, restarts }) => ({
      ...{ versionId, name, state, inFlight, restarts },
      detail: state === "ready" ? undefined : detail,
    })),
  );
  const withoutUse = (instances: SeenInstance[]) => instances.map((instance) => ({ ...instance, inFlight: 0 }));
  const isSame = isDeepStrictEqual(withoutUse(seen), withoutUse(deployment.instances));
  return isSame && !isUseDue ? deployment.instances : seen;
}

/** A version that is no longer wanted ends: at once, or after a moment where predictions were sent to it. */
function endingOf(situation: Situation, wanted: ReadonlyMap<string, VersionScale>) {
  const { deployment, observed, now, times } = situation;
  const removed: string[] = [];
  const retired = new Map<string, Date>();
  for (const versionId of observed.keys()) {
    if (wanted.has(versionId)) continue;
    const since =
      situation.retired.get(versionId) ??
      (deployment.endpoints.some((endpoint) => endpoint.versionId === versionId) ? now : undefined);
    const isOver = since === undefined || now.getTime() - since.getTime() >= times.drainMs;
    if (deployment.wish !== "serve" || isOver) removed.push(versionId);
    else retired.set(versionId, since);
  }
  return { removed, retired };
}

function differences(deployment: Deployment, moves: DeploymentMove): DeploymentMove {
  const entries = Object.entries(moves).filter(
    ([name, value]) => !isDeepStrictEqual(value, Object.entries(deployment).find(([field]) => field === name)?.[1]),
  );
  return Object.fromEntries(entries);
}
