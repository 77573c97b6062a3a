import { describe, expect, it } from "vitest";
import type { VersionFile } from "../../src/deployment-versions/deployment-version.ts";
import type { KubernetesDriver } from "../../src/serving/kubernetes-driver/kubernetes-driver.ts";
import type { InstanceSet } from "../../src/serving/serving-driver.ts";
import { all, type ClusterRig, instanceSet, ownCluster, until } from "./cluster-rig.ts";
import { PodFiles, servingImage } from "./pod-surroundings.ts";

let rig: ClusterRig;
let driver: KubernetesDriver;
let files: PodFiles;
ownCluster(async (started) => {
  rig = started;
  files = await PodFiles.open();
  const placement = { image: servingImage(), filesUrl: files.url, progressDeadlineSeconds: 40 };
  driver = await rig.driver({ placement, files });
}, "real");

const doubling = "export default async (input) => ({ doubled: input.n * 2 });";

/** A version whose handler is a text. */
function handlerSet(text: string, differs: Partial<InstanceSet> = {}): InstanceSet {
  const runtime = "node" as const;
  return files.offer(instanceSet({ runtime, files: [files.file("handler.mjs", text)], ...differs }));
}

async function served(set: InstanceSet): Promise<string> {
  await driver.apply(set);
  const [instance] = await until(() => driver.observe(set), all("ready", set.replicas), 60);
  return instance?.url ?? "";
}

async function predict(url: string, { modelName, token }: InstanceSet, n: number): Promise<unknown> {
  const answer = await fetch(`${url}/v2/models/${modelName}/infer`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ input: { n } }),
  });
  return answer.json();
}

describe("a version in pods", () => {
  it("answers predictions at the address of its Service, to bearers of its token alone", async () => {
    const set = handlerSet(doubling);
    const url = await served(set);
    expect(await predict(url, set, 21)).toMatchObject({ output: { doubled: 42 } });
    expect(await predict(url, { ...set, token: "another, of sixteen" }, 21)).toHaveProperty("error");
    const [instance] = await driver.observe(set);
    expect(instance).toMatchObject({ inFlight: 0, restarts: 0 });
    expect(instance?.lastUsedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it("comes back from none", async () => {
    const set = handlerSet(doubling);
    await served(set);
    await driver.apply({ ...set, replicas: 0 });
    await until(() => driver.observe(set), all("ready", 0), 60);
    expect(await predict(await served(set), set, 4)).toMatchObject({ output: { doubled: 8 } });
  });

  it("answers every prediction while its pods are replaced", async () => {
    const set = handlerSet(doubling, { replicas: 2 });
    const url = await served(set);
    const { pods: before } = await rig.objectsOf(set);
    await driver.apply({ ...set, runConfig: { ...set.runConfig, concurrency: 8 } });
    const answers: unknown[] = [];
    await until(
      async () => {
        answers.push(await predict(url, set, 1).catch((error: unknown) => String(error)));
        return driver.observe(set);
      },
      (seen) => all("ready", 2)(seen) && seen.every(({ name }) => !before.includes(name)),
      90,
    );
    expect(answers.filter((answer) => JSON.stringify(answer)?.includes('"doubled":2') !== true)).toEqual([]);
    expect(answers.length).toBeGreaterThan(5);
  });

  it("leaves nothing when it is removed", async () => {
    const set = handlerSet(doubling);
    await served(set);
    await driver.remove(set);
    expect(await rig.objectsOf(set)).toEqual({ deployments: [], services: [], secrets: [], pods: [] });
  });
});

describe("a version that cannot serve", () => {
  /** The instance when it has failed. */
  async function failed(set: InstanceSet) {
    await driver.apply(set);
    const [instance] = await until(() => driver.observe(set), all("failed"), 90);
    await driver.remove(set);
    return instance;
  }

  const spoilt = (how: "missing" | "corrupt") => () => {
    const own: VersionFile = files.file("handler.mjs", `${doubling} // ${how}`);
    files.spoil(own, how);
    return files.offer(instanceSet({ runtime: "node", files: [own] }));
  };

  it.each([
    ["a file is missing", spoilt("missing"), "ArtifactMissing", "handler.mjs was answered with status 404"],
    ["a file is corrupt", spoilt("corrupt"), "ArtifactMissing", "handler.mjs is not what its digest says"],
    [
      "its handler throws as it is loaded",
      () => handlerSet("throw new Error('no weights')"),
      "InvalidBundle",
      "no weights",
    ],
  ])("has failed when %s", async (_when, make, reason, detail) => {
    const instance = await failed(make());
    expect(instance).toMatchObject({ state: "failed", reason });
    expect(instance?.detail).toContain(detail);
  });

  it("has failed when the image is not available", async () => {
    const other = await rig.driver({
      placement: { image: "registry.invalid/serving-runtime:none", filesUrl: files.url },
    });
    const set = handlerSet(doubling);
    await other.apply(set);
    const [instance] = await until(() => other.observe(set), all("failed"), 90);
    expect(instance).toMatchObject({ reason: "ImagePullFailed" });
    await other.remove(set);
  });
});
