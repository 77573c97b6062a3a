import { describe, expect, it } from "vitest";
import type { KubernetesDriver } from "../../src/serving/kubernetes-driver/kubernetes-driver.ts";
import { nameOf } from "../../src/serving/kubernetes-driver/version-names.ts";
import type { VersionRef } from "../../src/serving/serving-driver.ts";
import { all, type ClusterRig, instanceSet, ownCluster, until } from "./cluster-rig.ts";

let rig: ClusterRig;
let driver: KubernetesDriver;
ownCluster(async (started) => {
  rig = started;
  driver = await rig.driver();
});

/** A version with its instances ready. */
async function served(differs: Parameters<typeof instanceSet>[0] = {}) {
  const set = instanceSet(differs);
  await driver.apply(set);
  await until(() => driver.observe(set), all("ready", set.replicas));
  return set;
}

/** The Deployment of a version once the cluster, too, has recorded that it is rolled out. */
function settled(ref: VersionRef) {
  const isDone = ({ conditions = [] }: { conditions?: { reason?: string }[] }) =>
    conditions.some(({ reason }) => reason === "NewReplicaSetAvailable");
  return until(
    () => rig.deploymentOf(ref),
    ({ status }) => isDone(status ?? {}),
  );
}

describe("a version that is applied", () => {
  it("becomes ready at the address of its Service", async () => {
    const set = await served({ replicas: 2 });
    const service = await rig.core.readNamespacedService({ name: nameOf(set), namespace: rig.namespace });
    const url = `http://${service.spec?.clusterIP}:8000`;
    expect((await driver.observe(set)).map((instance) => instance.url)).toEqual([url, url]);
  });

  it("is known, with one object of each kind that says whose it is", async () => {
    const { organisationId, deploymentId, versionId } = await served();
    const ref = { organisationId, deploymentId, versionId };
    const name = nameOf(ref);
    expect(await driver.known()).toContainEqual(ref);
    expect(await rig.objectsOf(ref)).toMatchObject({ deployments: [name], services: [name], secrets: [name] });
  });

  it("stays as it is when it is applied again", async () => {
    const set = await served();
    const before = await settled(set);
    await driver.apply(set);
    const { metadata } = await rig.deploymentOf(set);
    expect(metadata?.generation).toBe(before.metadata?.generation);
    expect(metadata?.resourceVersion).toBe(before.metadata?.resourceVersion);
  });

  it("is told of when it becomes ready", async () => {
    const set = instanceSet();
    const told: VersionRef[] = [];
    driver.onChange((ref) => void told.push(ref));
    await driver.apply(set);
    await until(
      async () => told.some(({ versionId }) => versionId === set.versionId),
      (isTold) => isTold,
    );
    await until(() => driver.observe(set), all("ready"));
  });

  it("goes on from where another replica stopped", async () => {
    const set = await served();
    const other = await rig.driver();
    expect(await other.observe(set)).toEqual(await driver.observe(set));
    await other.remove(set);
    expect(await driver.observe(set)).toEqual([]);
  });

  it("takes back what another client changed", async () => {
    const set = await served();
    const { namespace } = rig;
    const name = nameOf(set);
    const deployment = await settled(set);
    const spec = { ...deployment.spec, replicas: 3 } as NonNullable<typeof deployment.spec>;
    await rig.apps.replaceNamespacedDeployment({ name, namespace, body: { ...deployment, spec } });
    await until(() => driver.observe(set), all("ready", 3));
    await driver.apply(set);
    await until(() => driver.observe(set), all("ready", 1));
  });
});

describe("another number of instances", () => {
  it("is reached up, down to none, and up again", async () => {
    const set = await served();
    for (const replicas of [3, 0, 1]) {
      await driver.apply({ ...set, replicas });
      await until(() => driver.observe(set), all("ready", replicas));
    }
  });

  it("leaves a version of none known", async () => {
    const set = await served({ replicas: 0 });
    expect((await driver.known()).map(({ versionId }) => versionId)).toContain(set.versionId);
  });
});

describe("other limits of a version", () => {
  it("come with new pods, and none that is ready goes before its replacement is", async () => {
    const set = await served({ replicas: 2 });
    const { pods: before } = await rig.objectsOf(set);
    await driver.apply({ ...set, runConfig: { ...set.runConfig, timeoutSeconds: 60 } });
    const counts: number[] = [];
    await until(
      async () => {
        const seen = await driver.observe(set);
        counts.push(seen.filter(({ state }) => state === "ready").length);
        return seen;
      },
      (seen) => all("ready", 2)(seen) && seen.every(({ name }) => !before.includes(name)),
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  });
});

describe("a version that is removed", () => {
  it("is gone when that resolves, with all its objects", async () => {
    const set = await served({ replicas: 2 });
    await driver.remove(set);
    expect(await rig.objectsOf(set)).toEqual({ deployments: [], services: [], secrets: [], pods: [] });
    expect(await driver.observe(set)).toEqual([]);
    expect((await driver.known()).map(({ versionId }) => versionId)).not.toContain(set.versionId);
  });

  it("may be removed again, or without ever having been", async () => {
    const set = await served();
    await driver.remove(set);
    await expect(driver.remove(set)).resolves.toBeUndefined();
    await expect(driver.remove(instanceSet())).resolves.toBeUndefined();
  });

  it("leaves other versions of the deployment alone", async () => {
    const first = await served();
    const second = await served({ ...first, versionId: instanceSet().versionId });
    await driver.remove(first);
    expect(await driver.observe(second)).toMatchObject([{ state: "ready" }]);
  });
});
