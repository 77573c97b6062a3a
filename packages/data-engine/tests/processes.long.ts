import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import { SandboxUnavailableError } from "@aiplatform/serving-runtime/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDataEngine } from "../src/index.ts";
import { processesOf } from "./engine-processes.ts";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

const endless = "SELECT count(*) FROM range(1000000000000) a";

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine({ queueLength: 3 });
});
afterAll(() => test[Symbol.asyncDispose]());

const ask = (sql: string, organisationId = "ada", signal?: AbortSignal) =>
  test.engine.query({
    organisationId,
    views: {},
    sql,
    limit: 10,
    ...(signal && { signal }),
    limits: { timeMs: 30_000 },
  });
const one = "SELECT 1 AS one";

describe.skipIf(process.platform !== "linux")("a process", () => {
  it("that is killed fails its request alone, and the next one gets another", async () => {
    await ask(one);
    const lost = ask(endless);
    const refused = expect(lost).rejects.toMatchObject({ name: "EngineStoppedError" });
    for (const pid of await vi.waitUntil(() => processesOf(test.directory))) process.kill(pid, "SIGKILL");
    await refused;
    expect(rowsOf(await ask(one))).toEqual([{ one: 1 }]);
  });

  it("ends what its caller no longer waits for, and goes on", async () => {
    await ask(one);
    const before = processesOf(test.directory);
    const caller = new AbortController();
    const left = ask(endless, "ada", caller.signal);
    caller.abort(new Error("the caller left"));
    await expect(left).rejects.toThrow("the caller left");
    await vi.waitFor(async () => expect(rowsOf(await ask(one))).toEqual([{ one: 1 }]), { timeout: 20_000 });
    expect(processesOf(test.directory)).toEqual(before);
  });

  it("that stands still is killed when its time is over", async () => {
    await ask(one);
    const request = test.engine.query({
      ...{ organisationId: "ada", views: {}, sql: endless, limit: 1, limits: { timeMs: 1_000 } },
    });
    const refused = expect(request).rejects.toMatchObject({ name: "EngineLimitError", limit: "time" });
    for (const pid of processesOf(test.directory)) process.kill(pid, "SIGSTOP");
    await refused;
    expect(rowsOf(await ask(one))).toEqual([{ one: 1 }]);
  });
});

describe.skipIf(process.platform !== "linux")("the processor time of a request", () => {
  /** Seconds so far, and how nice they are, of the processes that work in a directory. */
  const timesOf = (directory: string) =>
    processesOf(directory).map((pid) => {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, nice: Number(fields[16]) };
    });

  it("is that of its threads for as long as it may take, behind that of the service", async () => {
    await using single = await openTestEngine({ threads: 1, maxProcesses: 1 });
    const query = (sql: string, timeMs: number) =>
      single.engine.query({ organisationId: "ada", views: {}, sql, limit: 1, limits: { timeMs } });
    await query(one, 30_000);
    const sum = () => timesOf(single.directory).reduce((all, { seconds }) => all + seconds, 0);
    const [before, began] = [sum(), performance.now()];
    await expect(query(endless, 3_000)).rejects.toMatchObject({ name: "EngineLimitError", limit: "time" });
    const tookSeconds = (performance.now() - began) / 1_000;
    expect(tookSeconds).toBeLessThan(10);
    const times = timesOf(single.directory);
    expect(times).not.toEqual([]);
    expect(new Set(times.map(({ nice }) => nice))).toEqual(new Set([Math.min(19, 5 + getPriority())]));
    // One thread computes; the others of the process only wait.
    expect(sum() - before).toBeLessThan(tookSeconds * 1.2);
    expect(sum() - before).toBeGreaterThan(0.1);
  });
});

describe("requests of organisations", () => {
  it("take turns: many of one do not keep another waiting", async () => {
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const many = [1, 2, 3].map(() => ask(one, "many").then(note("many")));
    const few = ask(one, "few").then(note("few"));
    await Promise.all([...many, few]);
    expect(ended.indexOf("few")).toBeLessThan(3);
  });

  it("are refused when too many of one organisation wait", async () => {
    const asked = Array.from({ length: 6 }, () =>
      ask(one, "crowd").then(
        () => "answered",
        (error: Error) => error.name,
      ),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["answered", "EngineQueueFullError"]));
  });
});

describe("an engine", () => {
  it("leaves no file and no process of its own when it is closed, and takes no more", async () => {
    const closing = await openTestEngine();
    await closing.parquet("a.parquet", "a\n1\n");
    await closing.engine[Symbol.asyncDispose]();
    expect(readdirSync(join(closing.directory, ".scratch"))).toEqual([]);
    if (process.platform === "linux") expect(processesOf(closing.directory)).toEqual([]);
    const late = closing.engine.rows({ organisationId: "ada", files: [closing.path("a.parquet")], limit: 1 });
    await expect(late).rejects.toMatchObject({ name: "EngineClosedError" });
    await closing[Symbol.asyncDispose]();
  });

  it("is refused where nothing contains its processes, unless that is asked for", async () => {
    const options = { sandboxSetting: "DATA_SANDBOX", python: "/nowhere/python3", directory: test.directory };
    const rest = {
      maxProcesses: 1,
      memoryMiB: 1_024,
      temporaryDiskMiB: 64,
      idleMs: 1_000,
      logger: { info() {}, warn() {} },
    };
    await expect(openDataEngine({ sandbox: "auto", ...options, ...rest })).rejects.toThrow(SandboxUnavailableError);
  });

  it.skipIf(process.platform !== "linux")(
    "takes its processes along when it is killed, and the next one removes their files",
    async () => {
      const program = spawn(process.execPath, [join(import.meta.dirname, "engine-host.ts")], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [said] = await once(program.stdout, "data");
      const directory = String(said).trim();
      expect(processesOf(directory).length).toBeGreaterThan(0);
      program.kill("SIGKILL");
      await once(program, "exit");
      await vi.waitFor(() => expect(processesOf(directory)).toEqual([]), { timeout: 20_000 });
      expect(readdirSync(join(directory, ".scratch"))).not.toEqual([]);
      await using _ = await openTestEngine({ directory });
      expect(readdirSync(join(directory, ".scratch"))).toEqual([]);
      await rm(directory, { recursive: true, force: true });
    },
  );
});
