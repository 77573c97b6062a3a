import type { V1ContainerStatus, V1Deployment, V1Pod, V1PodStatus } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import type { RuntimeState } from "../runtime-state.ts";
import { ClusterRefusalError } from "./cluster-errors.ts";
import { instancesOf, refusedInstance } from "./pod-instances.ts";

const startedAt = new Date("2026-01-01T00:00:10Z");
const before = new Date("2026-01-01T00:00:00Z");
const after = new Date("2026-01-01T00:00:20Z");

const deployment = (...conditions: { type: string; status: string; reason?: string; message?: string }[]) =>
  ({ metadata: { name: "serving-1" }, status: { conditions } }) satisfies V1Deployment;
const late = deployment({ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" });

const pod = (status: V1PodStatus, name = "serving-1-a") => ({ metadata: { name }, status }) satisfies V1Pod;
const container = (differs: Partial<V1ContainerStatus>): V1ContainerStatus => ({
  name: "serve",
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  ...differs,
});
const serving = (differs: Partial<V1ContainerStatus>) => pod({ containerStatuses: [container(differs)] });
const fetching = (differs: Partial<V1ContainerStatus>) =>
  pod({ initContainerStatuses: [container({ name: "fetch", ...differs })] });
const waiting = (reason: string, message?: string) => ({
  state: { waiting: { reason, ...(message ? { message } : {}) } },
});
const ended = (exitCode: number, message: string, reason = "Error") => ({ terminated: { exitCode, message, reason } });
const running = { state: { running: { startedAt } }, started: true };
const ready = (at = after) => pod({ containerStatuses: [container(running)], conditions: [readiness("True", at)] });
const readiness = (status: string, lastTransitionTime: Date) => ({ type: "Ready", status, lastTransitionTime });

function seen(pods: V1Pod[], o: { deployment?: V1Deployment; state?: RuntimeState } = {}) {
  const states = new Map(o.state ? [["serving-1-a", o.state]] : []);
  return instancesOf({ deployment: o.deployment ?? deployment(), pods, urlOf: () => "http://10.0.0.1:8000", states });
}

describe("a pod", () => {
  it("that is ready is an instance at the version's address", () => {
    const state = { state: "ready", inFlight: 3, lastUsedAt: after } as const;
    expect(seen([ready()], { state })).toEqual([
      { name: "serving-1-a", state: "ready", url: "http://10.0.0.1:8000", inFlight: 3, lastUsedAt: after, restarts: 0 },
    ]);
  });

  it("that is on its way out is none", () => {
    const { metadata, ...rest } = ready();
    expect(seen([{ ...rest, metadata: { ...metadata, deletionTimestamp: after } }])).toEqual([]);
  });

  it.each<[situation: string, pod: V1Pod, expected: object]>([
    ["has nothing to tell yet", pod({ phase: "Pending" }), { state: "starting" }],
    [
      "cannot be placed",
      pod({ conditions: [{ type: "PodScheduled", status: "False", message: "0/3 nodes" }] }),
      { state: "starting", reason: "ResourcesUnavailable", detail: "No node has room for the instance: 0/3 nodes" },
    ],
    [
      "fails to get its image once",
      serving(waiting("ErrImagePull", "no such host")),
      { state: "starting", reason: "ImagePullFailed" },
    ],
    [
      "fails to get its image again",
      serving(waiting("ImagePullBackOff", "no such host")),
      { state: "failed", reason: "ImagePullFailed", detail: "The runtime's image cannot be fetched: no such host" },
    ],
    ["has an image of no name", fetching(waiting("InvalidImageName")), { state: "failed", reason: "ImagePullFailed" }],
    [
      "lacks its settings",
      serving(waiting("CreateContainerConfigError", "secret not found")),
      { state: "failed", reason: "ResourcesUnavailable" },
    ],
    [
      "was given up by its node",
      pod({ phase: "Failed", message: "The node was low on memory" }),
      { state: "failed", reason: "ResourcesUnavailable", detail: "The node was low on memory" },
    ],
    [
      "ran out of memory",
      serving({ restartCount: 2, lastState: ended(137, "", "OOMKilled"), ...waiting("CrashLoopBackOff") }),
      { state: "failed", reason: "ResourcesUnavailable", restarts: 2 },
    ],
    [
      "ended with words of its own",
      serving({
        restartCount: 3,
        lastState: ended(1, "first\nCannot start: port taken"),
        ...waiting("CrashLoopBackOff"),
      }),
      {
        state: "failed",
        reason: "HealthCheckFailed",
        detail: "The runtime ended with exit code 1: Cannot start: port taken",
      },
    ],
    [
      "could not fetch a file",
      fetching({
        restartCount: 1,
        lastState: ended(1, 'x\n{"reason":"ArtifactMissing","detail":"a.onnx was answered with status 404"}'),
        ...waiting("CrashLoopBackOff"),
      }),
      { state: "failed", reason: "ArtifactMissing", detail: "a.onnx was answered with status 404" },
    ],
    [
      "ended its fetching without a word",
      fetching({ restartCount: 1, lastState: ended(137, ""), ...waiting("CrashLoopBackOff") }),
      { state: "failed", reason: "ArtifactMissing", detail: "Fetching the version's files ended with exit code 137" },
    ],
    [
      "says something else in braces",
      fetching({ restartCount: 1, lastState: ended(1, '{"reason":"Bored"}'), ...waiting("CrashLoopBackOff") }),
      { state: "failed", reason: "ArtifactMissing" },
    ],
    [
      "is started again for the first time",
      serving({ restartCount: 1, lastState: ended(1, "oops"), ...running }),
      { state: "starting", reason: "HealthCheckFailed", restarts: 1 },
    ],
    [
      "was ready and is not",
      pod({ containerStatuses: [container(running)], conditions: [readiness("False", after)] }),
      { state: "unhealthy", reason: "HealthCheckFailed" },
    ],
    [
      "was never ready",
      pod({ containerStatuses: [container(running)], conditions: [readiness("False", before)] }),
      { state: "starting" },
    ],
  ])("that %s", (_situation, only, expected) => {
    const [instance, ...others] = seen([only]);
    expect(others).toEqual([]);
    expect(instance).toMatchObject(expected);
    expect(instance).not.toHaveProperty("url");
  });

  it.each<[situation: string, pod: V1Pod, expected: object]>([
    ["runs", serving(running), { state: "failed", reason: "HealthCheckFailed" }],
    ["does not run", pod({ phase: "Pending" }), { state: "failed", reason: "Timeout" }],
    [
      "cannot be placed",
      pod({ conditions: [{ type: "PodScheduled", status: "False" }] }),
      { state: "failed", reason: "ResourcesUnavailable" },
    ],
    ["is ready", ready(), { state: "ready" }],
  ])("that %s when the time for the rollout is over", (_situation, only, expected) => {
    expect(seen([only], { deployment: late })).toMatchObject([expected]);
  });

  it("that gives its own reason is believed, in one line", () => {
    const state = {
      state: "failed",
      reason: "ModelLoadFailed",
      detail: "the graph\n  is cyclic",
      inFlight: 0,
    } as const;
    expect(seen([serving(running)], { state })).toMatchObject([
      { state: "failed", reason: "ModelLoadFailed", detail: "the graph is cyclic" },
    ]);
  });

  it("tells no more than three hundred characters", () => {
    const [instance] = seen([serving(waiting("ImagePullBackOff", "x".repeat(5_000)))]);
    expect(instance?.detail).toHaveLength(300);
  });
});

describe("pods of which one ended for good", () => {
  const gone = pod({ phase: "Failed" }, "serving-1-b");

  it("count without it once another took its place", () => {
    expect(seen([gone, ready()]).map(({ name }) => name)).toEqual(["serving-1-a"]);
  });

  it("count with it while none did", () => {
    expect(seen([gone])).toMatchObject([{ name: "serving-1-b", state: "failed" }]);
  });
});

describe("pods that the cluster does not let in", () => {
  const refused = deployment({ type: "ReplicaFailure", status: "True", message: "exceeded quota" });
  const expected = { name: "serving-1-refused", reason: "ResourcesUnavailable" };

  it("are one failed instance where there is no other", () => {
    expect(seen([], { deployment: refused })).toMatchObject([{ ...expected, state: "failed" }]);
  });

  it("are one that starts beside those that there are", () => {
    expect(seen([ready()], { deployment: refused })).toMatchObject([
      { state: "ready" },
      { ...expected, state: "starting" },
    ]);
  });
});

describe("a version that the cluster refuses", () => {
  it.each([
    [403, "ResourcesUnavailable"],
    [422, "InvalidBundle"],
    [413, "InvalidBundle"],
  ])("with %i has failed as %s", (code, reason) => {
    expect(refusedInstance("serving-1", new ClusterRefusalError(code, "because"))).toMatchObject({
      state: "failed",
      reason,
      detail: "The cluster refuses the deployment: because",
    });
  });
});
