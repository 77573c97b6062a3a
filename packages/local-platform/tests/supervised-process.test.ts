import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ProcessStartError, SupervisedProcess } from "../src/supervised-process.ts";
import { until } from "../src/until.ts";

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
  it("is started again, and says so in one line", async () => {
    const lines: string[] = [];
    const each = supervise("sleeper", "echo ready; exec sleep 60", (line) => lines.push(line));
    await each.start();
    const { pid = 0 } = each.child;
    process.kill(pid, "SIGKILL");
    await until(() => (each.child.pid !== pid && each.child.exitCode === null ? true : undefined), {
      withinMs: 5_000,
      otherwise: () => new Error("it was not started again"),
    });
    expect(lines).toEqual([
      expect.stringMatching(/^sleeper ended \(SIGKILL\); starting it again in 0\.25 s, its log is .*sleeper\.log$/),
    ]);
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
