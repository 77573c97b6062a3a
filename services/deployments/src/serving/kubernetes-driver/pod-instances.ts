import type { V1ContainerStatus, V1Deployment, V1Pod } from "@kubernetes/client-node";
import type { RolloutReason } from "../../rollouts/rollout.ts";
import { type RuntimeState, readReason } from "../runtime-state.ts";
import type { InstanceState, ObservedInstance } from "../serving-driver.ts";
import type { ClusterRefusalError } from "./cluster-errors.ts";

/** What is known of a version's instances, from the cluster and from the instances themselves. */
export interface Evidence {
  deployment: V1Deployment;
  pods: readonly V1Pod[];
  /** Where a pod answers once it is ready: one address for all of a kind. */
  urlOf: (pod: V1Pod) => string | undefined;
  /** By the pods' names; of those that answered. */
  states: ReadonlyMap<string, RuntimeState>;
}

/** Why an instance is not ready, and what it is therefore. */
interface Finding {
  state: Exclude<InstanceState, "ready">;
  reason?: RolloutReason;
  detail?: string;
}

const maxDetailLength = 300;

/** The instances of a version as the reconciler sees them, by name. Pods that are on their way out are none. */
export function instancesOf({ deployment, pods, urlOf, states }: Evidence): ObservedInstance[] {
  const isLate = conditionOf(deployment, "Progressing")?.reason === "ProgressDeadlineExceeded";
  const live = withoutReplaced(pods.filter(({ metadata }) => !metadata?.deletionTimestamp));
  const stateOf = (pod: V1Pod) => states.get(pod.metadata?.name ?? "");
  const instances = live.map((pod) => instanceOf(pod, { isLate, url: urlOf(pod), state: stateOf(pod) }));
  return [...instances, ...refusedPods(deployment, instances.length)].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Pods that the cluster does not even let in leave no other trace than this. */
function refusedPods(deployment: V1Deployment, instances: number): ObservedInstance[] {
  const failure = conditionOf(deployment, "ReplicaFailure");
  if (failure?.status !== "True") return [];
  const state = instances === 0 ? "failed" : "starting";
  const detail = sentence(`The cluster lets no more instances in: ${failure.message ?? "no reason given"}`);
  const name = `${deployment.metadata?.name ?? "serving"}-refused`;
  return [{ name, state, reason: "ResourcesUnavailable", detail, inFlight: 0, restarts: 0 }];
}

/** The instance that stands for what the cluster refused whole. */
export function refusedInstance(name: string, { code, message }: ClusterRefusalError): ObservedInstance {
  const reason = code === 403 ? "ResourcesUnavailable" : "InvalidBundle";
  const detail = sentence(`The cluster refuses the deployment: ${message}`);
  return { name: `${name}-refused`, state: "failed", reason, detail, inFlight: 0, restarts: 0 };
}

interface PodContext {
  /** The rollout got no further for as long as it may. */
  isLate: boolean;
  url: string | undefined;
  state: RuntimeState | undefined;
}

function instanceOf(pod: V1Pod, context: PodContext): ObservedInstance {
  const name = pod.metadata?.name ?? "";
  const { inFlight = 0, lastUsedAt } = context.state ?? {};
  const restarts = statusesOf(pod).reduce((sum, { restartCount }) => sum + restartCount, 0);
  const seen = { name, inFlight, restarts, ...(lastUsedAt ? { lastUsedAt } : {}) };
  if (conditionOf(pod, "Ready")?.status === "True") {
    return { ...seen, state: "ready", ...(context.url ? { url: context.url } : {}) };
  }
  const { detail, ...finding } = findingOf(pod, context);
  return { ...seen, ...finding, ...(detail ? { detail: sentence(detail) } : {}) };
}

/** The first of the questions that has an answer. */
function findingOf(pod: V1Pod, { isLate, state }: PodContext): Finding {
  const found =
    phaseFinding(pod) ??
    first(statusesOf(pod), waitingFinding) ??
    stateFinding(state) ??
    schedulingFinding(pod) ??
    readinessFinding(pod) ??
    first(statusesOf(pod), restartFinding);
  if (!isLate) return found ?? { state: "starting" };
  const isRunning = pod.status?.containerStatuses?.some((container) => container.state?.running) ?? false;
  const late: Finding = isRunning
    ? { state: "failed", reason: "HealthCheckFailed", detail: "The runtime runs but did not report ready in time" }
    : { state: "failed", reason: "Timeout", detail: "The instance did not start in time" };
  return { ...late, ...found, state: "failed" };
}

/** A pod that ended for good: put out of its node, as a rule. */
function phaseFinding({ status }: V1Pod): Finding | undefined {
  if (status?.phase !== "Failed") return undefined;
  return { state: "failed", reason: "ResourcesUnavailable", detail: status.message ?? "The node gave the instance up" };
}

type WaitingRule = Pick<Finding, "state" | "reason"> & { says: string };

/** What it means that a container waits: by the cluster's word for it. */
const waitingRules: ReadonlyMap<string, WaitingRule> = new Map([
  ["ErrImagePull", { state: "starting", reason: "ImagePullFailed", says: "The runtime's image cannot be fetched" }],
  ["ImagePullBackOff", { state: "failed", reason: "ImagePullFailed", says: "The runtime's image cannot be fetched" }],
  ["ErrImageNeverPull", { state: "failed", reason: "ImagePullFailed", says: "The runtime's image is not on the node" }],
  ["InvalidImageName", { state: "failed", reason: "ImagePullFailed", says: "The runtime's image has no valid name" }],
  [
    "CreateContainerConfigError",
    { state: "failed", reason: "ResourcesUnavailable", says: "The container cannot be made" },
  ],
  ["CreateContainerError", { state: "failed", reason: "ResourcesUnavailable", says: "The container cannot be made" }],
  ["RunContainerError", { state: "failed", reason: "ResourcesUnavailable", says: "The container cannot be started" }],
]);

function waitingFinding(container: V1ContainerStatus): Finding | undefined {
  const waiting = container.state?.waiting;
  if (waiting?.reason === "CrashLoopBackOff") return { ...endFinding(container), state: "failed" };
  const rule = waitingRules.get(waiting?.reason ?? "");
  if (!rule) return undefined;
  const { says, ...finding } = rule;
  return { ...finding, detail: waiting?.message ? `${says}: ${waiting.message}` : says };
}

/** The runtime's own word on what it could not do. */
function stateFinding(state: RuntimeState | undefined): Finding | undefined {
  if (state?.state !== "failed") return undefined;
  const { reason = "ModelLoadFailed", detail = "The runtime could not load what it is to serve" } = state;
  return { state: "failed", reason, detail };
}

function schedulingFinding(pod: V1Pod): Finding | undefined {
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status !== "False") return undefined;
  const detail = `No node has room for the instance: ${scheduled.message ?? scheduled.reason ?? "no reason given"}`;
  return { state: "starting", reason: "ResourcesUnavailable", detail };
}

/** An instance that was ready since its container started, and no longer is. */
function readinessFinding(pod: V1Pod): Finding | undefined {
  const runtime = pod.status?.containerStatuses?.find(({ started }) => started);
  const startedAt = runtime?.state?.running?.startedAt;
  const changedAt = conditionOf(pod, "Ready")?.lastTransitionTime;
  if (!startedAt || !changedAt || changedAt.getTime() <= startedAt.getTime()) return undefined;
  return { state: "unhealthy", reason: "HealthCheckFailed", detail: "The instance no longer reports ready" };
}

/** An instance that ended and is being started again. */
function restartFinding(container: V1ContainerStatus): Finding | undefined {
  const hasEnded = container.restartCount > 0 || (container.state?.terminated?.exitCode ?? 0) !== 0;
  return hasEnded ? { ...endFinding(container), state: "starting" } : undefined;
}

/** Why a container ended, as far as it or the cluster said. */
function endFinding({ name, state, lastState }: V1ContainerStatus): Omit<Finding, "state"> {
  const end = lastState?.terminated ?? state?.terminated;
  if (end?.reason === "OOMKilled") {
    return { reason: "ResourcesUnavailable", detail: "The instance needed more memory than memory_mb gives it" };
  }
  const said = (end?.message ?? "").trim();
  const own = said
    .split("\n")
    .map(readReport)
    .findLast((word) => word !== undefined);
  if (own) return own;
  const [last] = said.split("\n").slice(-1);
  const how = `ended with exit code ${end?.exitCode ?? "unknown"}${last ? `: ${last}` : ""}`;
  return name === "fetch"
    ? { reason: "ArtifactMissing", detail: `Fetching the version's files ${how}` }
    : { reason: "HealthCheckFailed", detail: `The runtime ${how}` };
}

/** A line in which our own program said why it ended. */
function readReport(line: string): Omit<Finding, "state"> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const word: unknown = JSON.parse(line);
    const why = typeof word === "object" && word !== null ? readReason(word) : {};
    return why.reason ? why : undefined;
  } catch {
    return undefined;
  }
}

/** Pods that ended for good stay listed for hours: they count only while nothing took their place. */
function withoutReplaced(pods: readonly V1Pod[]): readonly V1Pod[] {
  const going = pods.filter(({ status }) => status?.phase !== "Failed");
  return going.length > 0 ? going : pods.slice(0, 1);
}

function statusesOf({ status }: V1Pod): V1ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: Date;
}

function conditionOf({ status }: { status?: { conditions?: Condition[] } }, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function first<T, R>(items: readonly T[], ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const answer = ask(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** One line, not too long. */
function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxDetailLength ? `${line.slice(0, maxDetailLength - 1)}…` : line;
}
