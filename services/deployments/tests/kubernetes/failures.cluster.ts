import type { V1PodStatus } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import { ClusterUnavailableError } from "../../src/serving/kubernetes-driver/cluster-errors.ts";
import type { KubernetesDriver } from "../../src/serving/kubernetes-driver/kubernetes-driver.ts";
import type { VersionRef } from "../../src/serving/serving-driver.ts";
import { all, ClusterRig, instanceSet, ownCluster, until } from "./cluster-rig.ts";

let rig: ClusterRig;
let driver: KubernetesDriver;
ownCluster(async (started) => {
  rig = started;
  driver = await rig.driver({ placement: { progressDeadlineSeconds: 5 } });
});

const tooLarge = { concurrency: 1, timeoutSeconds: 5, memoryMb: 900_000, network: false };

describe("a version that no node has room for", () => {
  it("says so at once, and has failed when the time for the rollout is over", async () => {
    const set = instanceSet({ runConfig: tooLarge });
    await driver.apply(set);
    const [waiting] = await until(
      () => driver.observe(set),
      ([instance]) => instance?.reason !== undefined,
    );
    expect(waiting).toMatchObject({ state: "starting", reason: "ResourcesUnavailable" });
    expect(waiting?.detail).toContain("Insufficient memory");
    const [failed] = await until(() => driver.observe(set), all("failed"));
    expect(failed).toMatchObject({ reason: "ResourcesUnavailable", detail: waiting?.detail });
  });

  it("disturbs nothing of the version that serves", async () => {
    const set = instanceSet();
    await driver.apply(set);
    const [serving] = await until(() => driver.observe(set), all("ready"));
    await driver.apply({ ...set, runConfig: tooLarge });
    const seen = await until(
      () => driver.observe(set),
      (instances) => instances.some(({ state }) => state === "failed"),
    );
    expect(seen).toContainEqual(serving);
  });
});

describe("a namespace whose quota is used up", () => {
  it("shows as one failed instance with the quota's words", async () => {
    await using own = await ClusterRig.start();
    const { namespace } = own;
    const body = { metadata: { name: "pods" }, spec: { hard: { pods: "1" } } };
    await own.core.createNamespacedResourceQuota({ namespace, body });
    const quota = () => own.core.readNamespacedResourceQuota({ name: "pods", namespace });
    await until(quota, ({ status }) => status?.hard?.["pods"] === "1");
    const theirs = await own.driver();
    const first = instanceSet();
    await theirs.apply(first);
    await until(() => theirs.observe(first), all("ready"));
    const second = instanceSet();
    await theirs.apply(second);
    const [refused] = await until(() => theirs.observe(second), all("failed"));
    expect(refused).toMatchObject({ reason: "ResourcesUnavailable", inFlight: 0 });
    expect(refused?.detail).toContain("exceeded quota");
  });
});

describe("what the cluster refuses for good", () => {
  it("is a failed instance where the driver has no rights (403)", async () => {
    const stranger = await rig.driver({ isStranger: true });
    const set = instanceSet();
    await expect(stranger.apply(set)).resolves.toBeUndefined();
    const [refused] = await stranger.observe(set);
    expect(refused).toMatchObject({ state: "failed", reason: "ResourcesUnavailable" });
    expect(refused?.detail).toContain("is forbidden");
    expect(await rig.objectsOf(set)).toEqual({ deployments: [], services: [], secrets: [], pods: [] });
  });

  it("is a failed instance where an object is invalid (422), until it is not", async () => {
    const set = instanceSet({ replicas: -1 });
    await driver.apply(set);
    const [refused] = await driver.observe(set);
    expect(refused).toMatchObject({ state: "failed", reason: "InvalidBundle" });
    expect(refused?.detail).toContain("spec.replicas");
    await driver.apply({ ...set, replicas: 1 });
    await until(() => driver.observe(set), all("ready"));
  });
});

describe("the rights of the access file", () => {
  it.each(["secrets", "configmaps", "serviceaccounts"])("do not list %s", async (resource) => {
    const access = await rig.reviewOf({ verb: "list", resource });
    expect(access).toBe(false);
  });

  it("do not reach another namespace", async () => {
    expect(await rig.reviewOf({ verb: "list", resource: "pods" })).toBe(true);
    expect(await rig.reviewOf({ verb: "list", resource: "pods", namespace: "default" })).toBe(false);
  });
});

describe("what a kubelet reports of a pod", () => {
  const waiting = (reason: string, message: string) => ({ state: { waiting: { reason, message } } });
  const unready = [{ type: "Ready", status: "False" }];
  const container = { image: "registry.example/serving-runtime:1", imageID: "", name: "serve", ready: false };

  /** The instance when its pod has a status. */
  async function seenWith(status: V1PodStatus) {
    const set: VersionRef & ReturnType<typeof instanceSet> = instanceSet();
    await driver.apply(set);
    const [ready] = await until(() => driver.observe(set), all("ready"));
    await rig.reportOfPod(ready?.name ?? "", { ...status, conditions: unready });
    const [instance] = await until(
      () => driver.observe(set),
      (seen) => seen.some(({ state }) => state !== "ready"),
    );
    return instance;
  }

  it.each([
    ["ImagePullBackOff", "failed", "ImagePullFailed"],
    ["ErrImagePull", "starting", "ImagePullFailed"],
    ["CreateContainerConfigError", "failed", "ResourcesUnavailable"],
  ])("%s is %s, %s", async (word, state, reason) => {
    const containerStatuses = [{ ...container, restartCount: 0, ...waiting(word, "the reason why") }];
    expect(await seenWith({ containerStatuses })).toMatchObject({ state, reason });
  });

  it("counts restarts, and knows a container that used more memory than it may", async () => {
    const lastState = { terminated: { exitCode: 137, reason: "OOMKilled" } };
    const containerStatuses = [
      { ...container, restartCount: 4, lastState, ...waiting("CrashLoopBackOff", "back-off") },
    ];
    const expected = { state: "failed", reason: "ResourcesUnavailable", restarts: 4 };
    expect(await seenWith({ containerStatuses })).toMatchObject(expected);
  });
});

describe("an API server that goes away", () => {
  it("fails what is asked meanwhile as unavailable, and is followed again when it is back", async () => {
    await using own = await ClusterRig.start();
    const theirs = await own.driver();
    const set = instanceSet();
    await theirs.apply(set);
    await until(() => theirs.observe(set), all("ready"));
    const direct = await own.driver({ isDirect: true });
    own.door.close();
    await expect(theirs.apply({ ...set, replicas: 2 })).rejects.toThrow(ClusterUnavailableError);
    await expect(theirs.observe(set)).rejects.toThrow(ClusterUnavailableError);
    await expect(theirs.known()).rejects.toThrow(ClusterUnavailableError);
    const missed = instanceSet();
    const told = new Set<string>();
    theirs.onChange(({ versionId }) => void told.add(versionId));
    await direct.apply(missed);
    await own.door.reopen();
    await until(
      async () => told.has(missed.versionId),
      (isTold) => isTold,
      60,
    );
    await theirs.apply({ ...set, replicas: 2 });
    await until(() => theirs.observe(set), all("ready", 2));
  });
});
