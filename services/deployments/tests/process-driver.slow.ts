import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InstanceSet } from "../src/serving/serving-driver.ts";
import { containmentHere, DriverRig, isFailed, isReady, organisationId, predict } from "./driver-rig.ts";
import { answers, filesBelow, groupOf, instancesNaming, processesNaming } from "./processes-of.ts";

const good =
  "export default async ({ wait = 0 }) => { await new Promise((over) => setTimeout(over, wait)); return 7; };";

const containment = await containmentHere();
let rig: DriverRig;

beforeEach(async () => {
  rig = await DriverRig.start(containment);
});

afterEach(() => rig[Symbol.asyncDispose]());

describe("what a handler logs was lost", () => {
  it("is passed on line by line, with the instance that wrote it", async () => {
    const text = `export default async ({ said }, { log }) => { log("heard", said); console.log("and more"); return 7; };`;
    const set = await rig.handler(text);
    const { url, name } = await rig.instance(set, isReady);
    await predict(set, url, { said: "hello" });
    const { deploymentId, versionId } = set;
    const about = { organisationId, deploymentId, versionId, instance: name };
    await eventually(() => rig.outputs.some(({ line }) => line === "heard hello"));
    await eventually(() => rig.outputs.some(({ line }) => line === "and more"));
    expect(rig.outputs).toContainEqual({ ...about, line: "heard hello" });
  }, 30_000);
});

describe("a version", () => {
  it("answers predictions once its instance is ready, and leaves nothing when it is removed", async () => {
    const set = await rig.handler(good);
    const { url = "" } = await rig.instance(set, isReady);
    expect(await predict(set, url)).toMatchObject({ status: 200, body: expect.stringContaining("7") });
    expect((await instancesNaming(set.versionId)).length).toBe(1);
    await rig.driver.remove(set);
    expect(await processesNaming(set.versionId)).toEqual([]);
    expect(await answers(url)).toBe(false);
    expect((await filesBelow(rig.directory)).filter((path) => path.includes(set.versionId))).toEqual([]);
    expect(await rig.driver.known()).toEqual([]);
  }, 30_000);

  it("has as many instances as replicas are asked for, none included", async () => {
    const set = await rig.handler(good);
    await rig.instance({ ...set, replicas: 2 }, isReady);
    const both = await eventually(async () => {
      const seen = await rig.driver.observe(set);
      return seen.length === 2 && seen.every(isReady) && seen;
    });
    expect(new Set(both.map(({ url }) => url)).size).toBe(2);
    await rig.driver.apply({ ...set, replicas: 0 });
    await eventually(async () => (await processesNaming(set.versionId)).length === 0);
    expect(await rig.driver.observe(set)).toEqual([]);
    expect(await rig.driver.known()).toHaveLength(1);
    await rig.instance(set, isReady);
  }, 30_000);

  it("lets a prediction that is under way end before it ends", async () => {
    const held = `let release;
      export default ({ releaseInMs }) => {
        if (releaseInMs === undefined) return new Promise((resolve) => { release = () => resolve(7); });
        setTimeout(release, releaseInMs);
      };`;
    const runConfig = { concurrency: 4, timeoutSeconds: 20, memoryMb: 256, network: false };
    const set = await rig.handler(held, { runConfig });
    const { url } = await rig.instance(set, isReady);
    const answer = predict(set, url);
    await eventually(async () => (await rig.driver.observe(set)).some(({ inFlight }) => inFlight === 1));
    await predict(set, url, { releaseInMs: 1_000 });
    await rig.driver.remove(set);
    expect(await answer).toMatchObject({ status: 200 });
  }, 30_000);

  it("hands nothing of the service's environment on", async () => {
    const set = await rig.handler("export default async () => Object.keys(process.env);");
    const { url } = await rig.instance(set, isReady);
    expect((await predict(set, url)).body).not.toContain("MONGODB");
    expect((await predict(set, url)).body).not.toContain("PATH");
  }, 30_000);
});

describe("an instance that is killed", () => {
  it("is unhealthy, and is started again", async () => {
    const set = await rig.handler(good);
    await rig.instance(set, isReady);
    const [pid = 0] = await processesNaming(set.versionId);
    process.kill(pid, "SIGKILL");
    const ended = await rig.instance(set, ({ state }) => state === "unhealthy");
    expect(ended).toMatchObject({ reason: "HealthCheckFailed", detail: expect.stringContaining("SIGKILL") });
    const again = await rig.instance(set, isReady);
    expect(again.restarts).toBe(1);
    expect(await predict(set, again.url)).toMatchObject({ status: 200 });
  }, 30_000);
});

const notModel = "this is no model";
const unfit: { situation: string; set: () => Promise<InstanceSet>; reason: RegExp; says: RegExp }[] = [
  {
    situation: "an artifact that is not in the store",
    set: async () => {
      const set = await rig.handler(good);
      return { ...set, files: [...set.files, { path: "weights.bin", sha256: "0".repeat(64), sizeBytes: 1 }] };
    },
    reason: /^ArtifactMissing$/,
    says: /weights\.bin is not in the artifact store/,
  },
  {
    situation: "an artifact that was damaged in the store",
    set: async () => {
      const set = await rig.handler("export default async () => 'damaged';");
      const [{ sha256 = "" } = {}] = set.files;
      const path = join(rig.home, "artifacts", organisationId, sha256.slice(0, 2), sha256);
      await rm(path, { force: true });
      await writeFile(path, "something else");
      return set;
    },
    reason: /^ArtifactMissing$/,
    says: /handler\.mjs is damaged/,
  },
  {
    situation: "a path that leads out of the bundle",
    set: () => rig.setOf({ "handler.mjs": good, "../../outside": "x" }),
    reason: /^InvalidBundle$/,
    says: /outside leads out of the bundle/,
  },
  {
    situation: "paths that stand in each other's way",
    set: () => rig.setOf({ "handler.mjs": good, "handler.mjs/more": "x" }),
    reason: /^InvalidBundle$/,
    says: /cannot be written/,
  },
  {
    situation: "a model that is no ONNX",
    set: () => rig.setOf({ "model.onnx": notModel }, { runtime: "onnx" }),
    reason: /^ModelLoadFailed$/,
    says: /./,
  },
  {
    situation: "a handler that throws",
    set: () => rig.handler("throw new Error('no weights')"),
    reason: /^(ModelLoadFailed|InvalidBundle)$/,
    says: /no weights/,
  },
  {
    situation: "a handler that exits",
    set: () => rig.handler("process.exit(3)"),
    reason: /^(ModelLoadFailed|InvalidBundle)$/,
    says: /./,
  },
  {
    situation: "a handler that eats memory",
    set: () => rig.handler("const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));"),
    reason: /^(InvalidBundle|ResourcesUnavailable)$/,
    says: /memory/i,
  },
];

describe.each(unfit)("$situation", ({ set, reason, says }) => {
  it("is told of, with a reason, and leaves nothing when it is removed", async () => {
    const given = await set();
    const failed = await rig.instance(given, isFailed);
    expect(failed.reason).toMatch(reason);
    expect(failed.detail).toMatch(says);
    await rig.driver.remove(given);
    expect(await processesNaming(given.versionId)).toEqual([]);
    expect((await filesBelow(rig.home)).filter((path) => path.includes("outside"))).toEqual([]);
  }, 60_000);
});

describe("an instance that writes without end", () => {
  const flood = "setInterval(() => process.stdout.write('x'.repeat(65536)), 5);";

  it("stays ready, and costs us neither memory nor time", async () => {
    const before = process.memoryUsage().rss;
    const set = await rig.handler(`${flood} ${good}`);
    const { url } = await rig.instance(set, isReady);
    for (let asked = 0; asked < 5; asked += 1) expect(await predict(set, url)).toMatchObject({ status: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
  }, 60_000);

  it("is cut where it is the runtime that does so", async () => {
    await rig.replaceDriver({
      commandOf: () => ["-e", `const s = 'x'.repeat(65536); for (;;) require('fs').writeSync(1, s);`],
    });
    const before = process.memoryUsage().rss;
    const set = await rig.handler(good);
    await rig.driver.apply(set);
    await eventually(async () => (await processesNaming("for (;;) require('fs').writeSync")).length > 0);
    // What it writes in this time must not stay in memory.
    await pause(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
    expect(await rig.driver.observe(set)).toMatchObject([{ state: "starting" }]);
  }, 60_000);
});

describe("a process that ends however it is asked not to", () => {
  it.each([
    { is: "the serving runtime", stubborn: "" },
    { is: "one that ignores SIGTERM", stubborn: "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);" },
  ])(
    "takes its instances and its files along when it is killed: $is",
    async ({ stubborn }) => {
      const set = await rig.handler(good);
      const host = fileURLToPath(new URL("driver-host.ts", import.meta.url));
      const env = { ...process.env, HOME_OF_TEST: rig.home, INSTANCE_SET: JSON.stringify(set), STUBBORN: stubborn };
      const parent = spawn(process.execPath, [host], { env, stdio: ["ignore", "pipe", "inherit"] });
      for await (const line of createInterface({ input: parent.stdout })) if (line === "started") break;
      const running = await eventually(async () => {
        const found = (await instancesNaming(set.versionId)).filter((pid) => pid !== parent.pid);
        return found.length > 0 && found;
      });
      expect(running.length).toBe(1);
      const group = await groupOf(running[0] ?? 0);
      parent.kill("SIGKILL");
      await once(parent, "exit");
      await eventually(async () => (await processesNaming(set.versionId)).length === 0);
      await eventually(async () => !(await filesBelow(rig.directory)).some((path) => path.includes(`.${parent.pid}.`)));
      await eventually(() => group === undefined || !existsSync(dirname(group)));
    },
    60_000,
  );

  it("has what its guard did not clear away removed at the next start", async () => {
    const { pid = 0 } = spawn(process.execPath, ["-e", ""]);
    const left = (await filesBelow(rig.directory))[0]?.replace(/\.\d+\./, `.${pid}.`) ?? "";
    await mkdir(join(rig.directory, left, "version"), { recursive: true });
    await eventually(() => !isThere(pid));
    const another = await rig.startDriver();
    expect((await filesBelow(rig.directory)).filter((path) => path.includes(`.${pid}.`))).toEqual([]);
    // That of each driver.
    expect((await filesBelow(rig.directory)).filter((path) => !path.includes("/")).length).toBe(2);
    await another[Symbol.asyncDispose]();
  }, 60_000);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
