import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProcessStartError, SupervisedProcess } from "../src/infra/processes/supervised-process.ts";
import { until } from "../src/infra/wait.ts";

let folder: string;
const running: SupervisedProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "supervised-"));
});

afterAll(async () => {
  for (const each of running) await each.stop();
  await rm(folder, { recursive: true, force: true });
});

function supervise(name: string, script: string, log: (line: string) => void = () => {}): SupervisedProcess {
  const logFile = join(folder, `${name}.log`);
  const ready = async () => (await readFile(logFile, "utf8")).includes("ready");
  const each = new SupervisedProcess({
    name,
    command: "/bin/sh",
    args: ["-c", script],
    logFile,
    ready,
    log,
    readyWithinMs: 5_000,
  });
  running.push(each);
  return each;
}

describe("a process that ends without being asked to", () => {
  it("is started again, and says so in one line, and in another that it is back", async () => {
    const lines: string[] = [];
    const each = supervise("sleeper", "echo ready; exec sleep 60", (line) => lines.push(line));
    await each.start();
    const { pid = 0 } = each.child;
    process.kill(pid, "SIGKILL");
    await until(() => (lines.length > 1 ? true : undefined), {
      withinMs: 10_000,
      otherwise: () => new Error("it was not started again"),
    });
    expect(each.child.exitCode).toBeNull();
    expect(each.child.pid).not.toBe(pid);
    expect(lines).toEqual([
      expect.stringMatching(/^sleeper ended \(SIGKILL\); starting it again in 0\.\d\d s, its log is .*sleeper\.log$/),
      "sleeper is running again",
    ]);
  });

  it("is explained by what it said in this run alone", async () => {
    const lines: string[] = [];
    const logFile = join(folder, "explained.log");
    const each = new SupervisedProcess({
      name: "explained",
      command: "/bin/sh",
      args: ["-c", "echo run $$; exec sleep 60"],
      logFile,
      ready: async () => true,
      explain: (said) => `it said ${said.length} line`,
      log: (line) => lines.push(line),
    });
    running.push(each);
    const ends = (count: number) =>
      until(() => (lines.filter((line) => line.endsWith("running again")).length === count ? true : undefined), {
        withinMs: 10_000,
        otherwise: () => new Error("it was not started again"),
      });
    await each.start();
    for (const count of [1, 2]) {
      const said = async () => (await readFile(logFile, "utf8")).match(/^run/gm)?.length === count || undefined;
      await until(said, { withinMs: 5_000, otherwise: () => new Error("it said nothing") });
      each.child.kill("SIGKILL");
      await ends(count);
    }
    expect(lines.filter((line) => line.includes("ended"))).toEqual([
      // Half of each pause is random: the first is at most 0.25 s, the second at most 0.5 s.
      expect.stringMatching(/^explained ended \(SIGKILL: it said 1 line\); starting it again in 0\.[12]\d s/),
      expect.stringMatching(/^explained ended \(SIGKILL: it said 1 line\); starting it again in 0\.[2-5]\d s/),
    ]);
  });

  it("is tried again when its program is missing for a while", async () => {
    const lines: string[] = [];
    const program = join(folder, "program");
    const script = "#!/bin/sh\nexec sleep 60\n";
    await writeFile(program, script, { mode: 0o755 });
    const logFile = join(folder, "missing.log");
    const log = (line: string) => void lines.push(line);
    const ready = async () => true;
    const each = new SupervisedProcess({ name: "missing", command: program, args: [], logFile, ready, log });
    running.push(each);
    await each.start();
    await rm(program);
    each.child.kill("SIGKILL");
    await until(() => (lines.length > 1 ? true : undefined), {
      withinMs: 10_000,
      otherwise: () => new Error("nothing was said"),
    });
    expect(lines[1]).toMatch(
      /^missing cannot be started \(spawn .*program ENOENT\); starting it again in 0\.[2-5]\d s/,
    );
    await writeFile(program, script, { mode: 0o755 });
    await until(() => (lines.at(-1) === "missing is running again" ? true : undefined), {
      withinMs: 10_000,
      otherwise: () => new Error("it was not started again"),
    });
  });
});

describe("a process that is killed on purpose", () => {
  it("stays away until it is started", async () => {
    const lines: string[] = [];
    const each = supervise("victim", "echo ready; exec sleep 60", (line) => lines.push(line));
    await each.start();
    await each.kill("SIGKILL");
    expect(each.child.signalCode).toBe("SIGKILL");
    await each.start();
    expect(each.child.signalCode).toBeNull();
    expect(lines).toEqual([]);
  });
});

describe("a process that cannot start", () => {
  it("is reported with what it said last", async () => {
    const each = supervise("broken", "echo the port is taken; exit 3");
    const started = each.start();
    await expect(started).rejects.toThrow(ProcessStartError);
    await expect(started).rejects.toThrow(
      /^broken ended while starting\. The end of .*broken\.log:\n {2}the port is taken$/,
    );
  });
});

describe("a process that does not stop when asked", () => {
  it("is killed when its time is up", async () => {
    const logFile = join(folder, "deaf.log");
    const each = new SupervisedProcess({
      name: "deaf",
      command: process.execPath,
      args: ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')"],
      logFile,
      ready: async () => (await readFile(logFile, "utf8")).includes("ready"),
      graceMs: 100,
      log: () => {},
    });
    await each.start();
    await each.stop();
    expect(each.child.signalCode).toBe("SIGKILL");
  });
});
