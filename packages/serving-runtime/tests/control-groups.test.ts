import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { type InstanceGroups, openControlGroups } from "../src/control-groups/control-groups.ts";
import { controllers } from "../src/control-groups/delegation.ts";
import type { InstanceGroup } from "../src/control-groups/instance-group.ts";
import { strangersAmong } from "../src/control-groups/processes.ts";

const run = promisify(execFile);
const limits = { memoryMb: 64 };

/** What this machine offers; said once, so that a report tells what was not checked. */
const here = await openControlGroups();
if (here.kind === "cgroup") await here[Symbol.asyncDispose]();
const offers = here.kind === "none" ? here.reason : (here.lacks ?? "everything");

async function groupsHere(choice?: string): Promise<InstanceGroups> {
  const groups = await openControlGroups(choice);
  if (groups.kind === "none") throw new Error(groups.reason);
  return groups;
}

/** A shell in the group, and the one that it has started in a session of its own. */
async function shellIn(group: InstanceGroup): Promise<{ child: ChildProcess; pids: string[] }> {
  const script = `setsid sleep 600 & echo $$ $!; wait`;
  const { command, args } = group.commandWithin({ command: "/bin/sh", args: ["-c", script] });
  const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) return { child, pids: line.split(" ") };
  throw new Error("the shell said nothing");
}

const isGone = (pid: string) =>
  !existsSync(`/proc/${pid}`) || /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

const groupsBelow = (directory: string) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

describe.skipIf(here.kind === "none")(`a program in a control group (${offers})`, () => {
  it("is in it from its first instruction", async () => {
    await using groups = await groupsHere();
    await using group = await groups.create("digits-1", limits);
    const { command, args } = group.commandWithin({ command: "/bin/cat", args: ["/proc/self/cgroup"] });
    const own = (await run(command, [...args])).stdout.split("\n").find((line) => line.startsWith("0::"));
    expect(own).toMatch(/\/aiplatform-instances\.[^/]+\/digits-1\.\d+$/);
    expect(readFileSync("/proc/self/cgroup", "utf8")).not.toContain(String(own));
  });

  it("is not started where the group is gone", async () => {
    await using groups = await groupsHere();
    const group = await groups.create("digits-1", limits);
    await group[Symbol.asyncDispose]();
    const { command, args } = group.commandWithin({ command: "/bin/echo", args: ["ran"] });
    await expect(run(command, [...args])).rejects.toMatchObject({ stdout: "" });
  });

  it("ends with all that it has started, also in other sessions, and the group can be removed", async () => {
    await using groups = await groupsHere();
    await using group = await groups.create("digits-1", limits);
    const { child, pids } = await shellIn(group);
    const ended = once(child, "exit");
    expect(group.kill()).toBe(true);
    expect(await ended).toEqual([null, "SIGKILL"]);
    await vi.waitFor(() => expect(pids.map(isGone)).toEqual([true, true]));
    await group[Symbol.asyncDispose]();
    expect(groupsBelow(groups.directory)).toEqual([]);
    expect(group.kill()).toBe(false);
  });

  it("is ended by the removal of its group", async () => {
    const groups = await groupsHere();
    const { child, pids } = await shellIn(await groups.create("digits-1", limits));
    const ended = once(child, "exit");
    await groups[Symbol.asyncDispose]();
    await ended;
    await vi.waitFor(() => expect(pids.map(isGone)).toEqual([true, true]));
    expect(existsSync(groups.directory)).toBe(false);
  });

  it("has the limits of each controller that is offered, and no others", async () => {
    await using groups = await groupsHere();
    await using _ = await groups.create("digits", limits);
    const files = { memory: "memory.max", cpu: "cpu.weight", pids: "pids.max" };
    const expected = { memory: "67108864", cpu: "100", pids: "512" };
    for (const name of controllers) {
      const [group = ""] = groupsBelow(groups.directory);
      const path = join(groups.directory, group, files[name]);
      if (groups.controllers.has(name)) expect(readFileSync(path, "utf8").trim()).toBe(expected[name]);
      else expect(existsSync(path)).toBe(false);
    }
  });
});

describe.skipIf(here.kind === "none")("groups that a killed process has left", () => {
  it("are removed with what runs in them at the next start, and those of others are not", async () => {
    await using other = await groupsHere();
    const host = fileURLToPath(new URL("groups-host.ts", import.meta.url));
    const parent = spawn(process.execPath, [host], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    for await (const line of createInterface({ input: parent.stdout })) {
      said = line;
      break;
    }
    const { directory, pid } = JSON.parse(said);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect([existsSync(directory), isGone(pid)]).toEqual([true, false]);
    await using _ = await groupsHere();
    expect([existsSync(directory), existsSync(other.directory)]).toEqual([false, true]);
    await vi.waitFor(() => expect(isGone(pid)).toBe(true));
  });
});

describe("control groups that are required", () => {
  it("are there with every controller, or refused with what is missing and what to do", async () => {
    if (offers === "everything") {
      await using groups = await groupsHere("required");
      expect([...groups.controllers]).toEqual(controllers);
      return;
    }
    const refused = await groupsHere("required").catch((error: unknown) => error);
    expect(refused).toMatchObject({
      name: "ControlGroupsUnavailableError",
      message: expect.stringMatching(/^SERVING_CONTROL_GROUPS is required, and .+ Delegate=cpu memory pids\.$/),
    });
    expect(String(refused)).toContain(offers);
  });

  it.skipIf(here.kind === "none" || offers === "everything")("leave nothing when they are refused", async () => {
    await using groups = await groupsHere();
    const ofThisProcess = () =>
      groupsBelow(join(groups.directory, "..")).filter((name) => name.includes(`.${process.pid}.`));
    const before = ofThisProcess();
    await groupsHere("required").catch(() => undefined);
    expect(ofThisProcess()).toEqual(before);
  });
});

describe("control groups that are not wanted", () => {
  it("are not used", async () => {
    expect(await openControlGroups("none")).toEqual({ kind: "none", reason: "SERVING_CONTROL_GROUPS is none" });
  });
});

describe.skipIf(process.platform !== "linux")("a service that has to move into a group beside its instances", () => {
  it("takes along what it has started and what has started it, and nothing else", async () => {
    const child = spawn("sleep", ["600"], { stdio: "ignore" });
    // Its parent is gone: whose it was can no longer be told.
    const orphan = (await run("/bin/sh", ["-c", "sleep 600 >&- 2>&- & echo $!"])).stdout.trim();
    const ended = once(child, "exit");
    try {
      const pids = [process.pid, process.ppid, child.pid, orphan].map(String);
      expect(await strangersAmong(pids)).toEqual([orphan]);
      // What the kernel writes of a process in another namespace of processes.
      expect(await strangersAmong(["0"])).toEqual(["0"]);
    } finally {
      process.kill(Number(orphan), "SIGKILL");
      child.kill("SIGKILL");
    }
    await ended;
    expect(await strangersAmong([String(child.pid)])).toEqual([]);
  });
});
