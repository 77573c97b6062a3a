import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findSandbox } from "@aiplatform/serving-runtime";
import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import { ProcessDriver, type ProcessDriverOptions } from "../src/serving/process-driver/process-driver.ts";
import type { InstanceOutput } from "../src/serving/process-driver/version-processes.ts";
import type { InstanceSet, ObservedInstance } from "../src/serving/serving-driver.ts";
import { answers, filesBelow, instancesNaming, processesNaming } from "./processes-of.ts";

const organisationId = randomUUID();
const good =
  "export default async ({ wait = 0 }) => { await new Promise((over) => setTimeout(over, wait)); return 7; };";

const sandbox = await findSandbox();
let home: string;
let artifacts: DirectoryStore;
let driver: ProcessDriver;
let outputs: InstanceOutput[];

const directory = () => join(home, "serving");
const start = (more: Partial<ProcessDriverOptions> = {}) =>
  ProcessDriver.start({
    directory: directory(),
    host: "127.0.0.1",
    artifacts,
    containment: { sandbox, trustsCode: true, network: false },
    drainMs: 0,
    maxBytes: 1_048_576,
    newId: randomUUID,
    onOutput: (output) => outputs.push(output),
    ...more,
  });

beforeEach(async () => {
  outputs = [];
  home = await realpath(await mkdtemp(join(tmpdir(), "driver-")));
  artifacts = new DirectoryStore(join(home, "artifacts"), { maxBytes: 1_000_000 });
  driver = await start();
});

afterEach(async () => {
  await driver[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

async function stored(path: string, text: string) {
  const bytes = Buffer.from(text);
  const sha256 = sha256Of(bytes);
  await artifacts.put(
    organisationId,
    { sha256 },
    (async function* () {
      yield bytes;
    })(),
  );
  return { path, sha256, sizeBytes: bytes.length };
}

async function setOf(files: Record<string, string>, more: Partial<InstanceSet> = {}): Promise<InstanceSet> {
  return {
    ...{
      organisationId,
      deploymentId: randomUUID(),
      versionId: randomUUID(),
      serviceName: "digits",
      modelName: "digits",
    },
    runtime: "node",
    files: await Promise.all(Object.entries(files).map(([path, text]) => stored(path, text))),
    token: "a-token-of-this-test",
    replicas: 1,
    runConfig: { concurrency: 4, timeoutSeconds: 2, memoryMb: 256, network: false },
    ...more,
  };
}

const handler = (text: string, more: Partial<InstanceSet> = {}) => setOf({ "handler.mjs": text }, more);

/** Waits until the first instance is so. */
function instance(set: InstanceSet, fits: (one: ObservedInstance) => boolean): Promise<ObservedInstance> {
  return eventually(async () => {
    await driver.apply(set);
    return (await driver.observe(set)).find(fits);
  });
}

const isReady = ({ state }: ObservedInstance) => state === "ready";
const isFailed = ({ state }: ObservedInstance) => state === "failed";

async function predict({ token, modelName }: InstanceSet, url = "", input: unknown = {}) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ input });
  const response = await fetch(`${url}/v2/models/${modelName}/infer`, { method: "POST", headers, body });
  return { status: response.status, body: JSON.stringify(await response.json()) };
}

describe("what a handler logs was lost", () => {
  it("is passed on line by line, with the instance that wrote it", async () => {
    const text = `export default async ({ said }, { log }) => { log("heard", said); console.log("and more"); return 7; };`;
    const set = await handler(text);
    const { url, name } = await instance(set, isReady);
    await predict(set, url, { said: "hello" });
    const { deploymentId, versionId } = set;
    const about = { organisationId, deploymentId, versionId, instance: name };
    await eventually(() => outputs.some(({ line }) => line === "heard hello"));
    await eventually(() => outputs.some(({ line }) => line === "and more"));
    expect(outputs).toContainEqual({ ...about, line: "heard hello" });
  }, 30_000);
});

describe("a version", () => {
  it("answers predictions once its instance is ready, and leaves nothing when it is removed", async () => {
    const set = await handler(good);
    const { url = "" } = await instance(set, isReady);
    expect(await predict(set, url)).toMatchObject({ status: 200, body: expect.stringContaining("7") });
    expect((await instancesNaming(set.versionId)).length).toBe(1);
    await driver.remove(set);
    expect(await processesNaming(set.versionId)).toEqual([]);
    expect(await answers(url)).toBe(false);
    expect((await filesBelow(directory())).filter((path) => path.includes(set.versionId))).toEqual([]);
    expect(await driver.known()).toEqual([]);
  }, 30_000);

  it("has as many instances as replicas are asked for, none included", async () => {
    const set = await handler(good);
    await instance({ ...set, replicas: 2 }, isReady);
    const both = await eventually(async () => {
      const seen = await driver.observe(set);
      return seen.length === 2 && seen.every(isReady) && seen;
    });
    expect(new Set(both.map(({ url }) => url)).size).toBe(2);
    await driver.apply({ ...set, replicas: 0 });
    await eventually(async () => (await processesNaming(set.versionId)).length === 0);
    expect(await driver.observe(set)).toEqual([]);
    expect(await driver.known()).toHaveLength(1);
    await instance(set, isReady);
  }, 30_000);

  it("lets a prediction that is under way end before it ends", async () => {
    const held = `let release;
      export default ({ releaseInMs }) => {
        if (releaseInMs === undefined) return new Promise((resolve) => { release = () => resolve(7); });
        setTimeout(release, releaseInMs);
      };`;
    const runConfig = { concurrency: 4, timeoutSeconds: 20, memoryMb: 256, network: false };
    const set = await handler(held, { runConfig });
    const { url } = await instance(set, isReady);
    const answer = predict(set, url);
    await eventually(async () => (await driver.observe(set)).some(({ inFlight }) => inFlight === 1));
    await predict(set, url, { releaseInMs: 1_000 });
    await driver.remove(set);
    expect(await answer).toMatchObject({ status: 200 });
  }, 30_000);

  it("hands nothing of the service's environment on", async () => {
    const set = await handler("export default async () => Object.keys(process.env);");
    const { url } = await instance(set, isReady);
    expect((await predict(set, url)).body).not.toContain("MONGODB");
    expect((await predict(set, url)).body).not.toContain("PATH");
  }, 30_000);
});

describe("an instance that is killed", () => {
  it("is unhealthy, and is started again", async () => {
    const set = await handler(good);
    await instance(set, isReady);
    const [pid = 0] = await processesNaming(set.versionId);
    process.kill(pid, "SIGKILL");
    const ended = await instance(set, ({ state }) => state === "unhealthy");
    expect(ended).toMatchObject({ reason: "HealthCheckFailed", detail: expect.stringContaining("SIGKILL") });
    const again = await instance(set, isReady);
    expect(again.restarts).toBe(1);
    expect(await predict(set, again.url)).toMatchObject({ status: 200 });
  }, 30_000);
});

const notModel = "this is no model";
const unfit: { situation: string; set: () => Promise<InstanceSet>; reason: RegExp; says: RegExp }[] = [
  {
    situation: "an artifact that is not in the store",
    set: async () => {
      const set = await handler(good);
      return { ...set, files: [...set.files, { path: "weights.bin", sha256: "0".repeat(64), sizeBytes: 1 }] };
    },
    reason: /^ArtifactMissing$/,
    says: /weights\.bin is not in the artifact store/,
  },
  {
    situation: "an artifact that was damaged in the store",
    set: async () => {
      const set = await handler("export default async () => 'damaged';");
      const [{ sha256 = "" } = {}] = set.files;
      const path = join(home, "artifacts", organisationId, sha256.slice(0, 2), sha256);
      await rm(path, { force: true });
      await writeFile(path, "something else");
      return set;
    },
    reason: /^ArtifactMissing$/,
    says: /handler\.mjs is damaged/,
  },
  {
    situation: "a path that leads out of the bundle",
    set: () => setOf({ "handler.mjs": good, "../../outside": "x" }),
    reason: /^InvalidBundle$/,
    says: /outside leads out of the bundle/,
  },
  {
    situation: "paths that stand in each other's way",
    set: () => setOf({ "handler.mjs": good, "handler.mjs/more": "x" }),
    reason: /^InvalidBundle$/,
    says: /cannot be written/,
  },
  {
    situation: "a model that is no ONNX",
    set: () => setOf({ "model.onnx": notModel }, { runtime: "onnx" }),
    reason: /^ModelLoadFailed$/,
    says: /./,
  },
  {
    situation: "a handler that throws",
    set: () => handler("throw new Error('no weights')"),
    reason: /^(ModelLoadFailed|InvalidBundle)$/,
    says: /no weights/,
  },
  {
    situation: "a handler that exits",
    set: () => handler("process.exit(3)"),
    reason: /^(ModelLoadFailed|InvalidBundle)$/,
    says: /./,
  },
  {
    situation: "a handler that eats memory",
    set: () => handler("const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));"),
    reason: /^(InvalidBundle|ResourcesUnavailable)$/,
    says: /memory/i,
  },
];

describe.each(unfit)("$situation", ({ set, reason, says }) => {
  it("is told of, with a reason, and leaves nothing when it is removed", async () => {
    const given = await set();
    const failed = await instance(given, isFailed);
    expect(failed.reason).toMatch(reason);
    expect(failed.detail).toMatch(says);
    await driver.remove(given);
    expect(await processesNaming(given.versionId)).toEqual([]);
    expect((await filesBelow(home)).filter((path) => path.includes("outside"))).toEqual([]);
  }, 60_000);
});

describe("an instance that writes without end", () => {
  const flood = "setInterval(() => process.stdout.write('x'.repeat(65536)), 5);";

  it("stays ready, and costs us neither memory nor time", async () => {
    const before = process.memoryUsage().rss;
    const set = await handler(`${flood} ${good}`);
    const { url } = await instance(set, isReady);
    for (let asked = 0; asked < 5; asked += 1) expect(await predict(set, url)).toMatchObject({ status: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
  }, 60_000);

  it("is cut where it is the runtime that does so", async () => {
    await driver[Symbol.asyncDispose]();
    driver = await start({
      commandOf: () => ["-e", `const s = 'x'.repeat(65536); for (;;) require('fs').writeSync(1, s);`],
    });
    const before = process.memoryUsage().rss;
    const set = await handler(good);
    await driver.apply(set);
    await eventually(async () => (await processesNaming("for (;;) require('fs').writeSync")).length > 0);
    const begin = performance.now();
    while (performance.now() - begin < 2_000) await new Promise((turn) => setImmediate(turn));
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
    expect(await driver.observe(set)).toMatchObject([{ state: "starting" }]);
  }, 60_000);
});

describe("a process that ends however it is asked not to", () => {
  it.each([
    { is: "the serving runtime", stubborn: "" },
    { is: "one that ignores SIGTERM", stubborn: "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);" },
  ])(
    "takes its instances and its files along when it is killed: $is",
    async ({ stubborn }) => {
      const set = await handler(good);
      const host = fileURLToPath(new URL("driver-host.ts", import.meta.url));
      const env = { ...process.env, HOME_OF_TEST: home, INSTANCE_SET: JSON.stringify(set), STUBBORN: stubborn };
      const parent = spawn(process.execPath, [host], { env, stdio: ["ignore", "pipe", "inherit"] });
      for await (const line of createInterface({ input: parent.stdout })) if (line === "started") break;
      const running = await eventually(async () => {
        const found = (await instancesNaming(set.versionId)).filter((pid) => pid !== parent.pid);
        return found.length > 0 && found;
      });
      expect(running.length).toBe(1);
      parent.kill("SIGKILL");
      await once(parent, "exit");
      await eventually(async () => (await processesNaming(set.versionId)).length === 0);
      await eventually(async () => !(await filesBelow(directory())).some((path) => path.includes(`.${parent.pid}.`)));
    },
    60_000,
  );

  it("has what its guard did not clear away removed at the next start", async () => {
    const { pid = 0 } = spawn(process.execPath, ["-e", ""]);
    const left = (await filesBelow(directory()))[0]?.replace(/\.\d+\./, `.${pid}.`) ?? "";
    await mkdir(join(directory(), left, "version"), { recursive: true });
    await eventually(() => !isThere(pid));
    const another = await start();
    expect((await filesBelow(directory())).filter((path) => path.includes(`.${pid}.`))).toEqual([]);
    expect((await filesBelow(directory())).length).toBe(2);
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
