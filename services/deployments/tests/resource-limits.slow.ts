import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { dirname } from "node:path";
import { openControlGroups } from "@aiplatform/serving-runtime/control-groups";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { containmentHere, DriverRig, isFailed, isReady, predict } from "./driver-rig.ts";
import { filesBelow, groupOf, instancesNaming } from "./processes-of.ts";
import { describeTiers, tiersHere } from "./tiers-here.ts";

describeTiers();

/** What the machine offers; tests also pass where it offers nothing, and their titles say so. */
const groups = await openControlGroups();
if (groups.kind === "cgroup") await groups[Symbol.asyncDispose]();
const lacks = groups.kind === "none" ? groups.reason : groups.lacks;

describe.each(tiersHere)("an instance in a sandbox of $kind", (sandbox) => {
  it("that takes memory at once is ended, and named as what took it", async () => {
    // No runtime that watches over itself.
    const hog = "const all = []; for (;;) all.push(Buffer.alloc(20_000_000, 1));";
    await using rig = await DriverRig.start(await containmentHere(sandbox), { commandOf: () => ["-e", hog] });
    const failed = await rig.instance(await rig.handler(""), isFailed);
    const detail = "The instance took more memory than the 256 MiB of memory_mb, and was ended.";
    expect(failed).toMatchObject({ reason: "ResourcesUnavailable", detail });
  }, 60_000);

  it("that uses the processor without a prediction is ended, and named as what used it", async () => {
    await using rig = await DriverRig.start(await containmentHere(sandbox), { spareProcessorMs: 400 });
    const busy = "setInterval(() => { for (const end = Date.now() + 95; Date.now() < end; ); }, 100);";
    const set = await rig.handler(`${busy} export default async () => 7;`);
    const ended = await rig.instance(set, ({ state }) => state === "unhealthy");
    const detail = "The instance used the processor for more than 0.4 s without a prediction, and was ended.";
    expect(ended).toMatchObject({ reason: "ResourcesUnavailable", detail });
    expect((await rig.instance(set, isReady)).restarts).toBeGreaterThan(0);
  }, 90_000);

  it("steps behind the services, and has limits that the kernel keeps", async () => {
    await using rig = await DriverRig.start(await containmentHere(sandbox));
    const set = await rig.handler("export default async () => 7;");
    const { url } = await rig.instance(set, isReady);
    expect(await predict(set, url)).toMatchObject({ status: 200 });
    const [pid = 0] = await instancesNaming(set.versionId);
    expect(getPriority(pid)).toBe(5);
    const limits = await readFile(`/proc/${pid}/limits`, "utf8");
    expect(limits).toMatch(/^Max file size +0 +0 /m);
    expect(limits).toMatch(/^Max open files +4096 +4096 /m);
    expect(limits).toMatch(/^Max data size +1879048192 +1879048192 /m);
  }, 60_000);
});

describe.skipIf(groups.kind === "none")(`the control group of an instance (without: ${lacks ?? "nothing"})`, () => {
  it.each(tiersHere)(
    "has all of its processes in a sandbox of $kind, and is removed with it",
    async (sandbox) => {
      await using rig = await DriverRig.start(await containmentHere(sandbox));
      const set = await rig.handler("export default async () => 7;");
      const { url } = await rig.instance(set, isReady);
      expect(await predict(set, url)).toMatchObject({ status: 200 });
      const [pid = 0] = await instancesNaming(set.versionId);
      const group = (await groupOf(pid)) ?? "";
      const inside = (await readFile(`${group}/cgroup.procs`, "utf8")).trim().split("\n");
      // With namespaces the launcher stays.
      expect(inside).toHaveLength(sandbox.kind === "namespaces" ? 2 : 1);
      expect(inside).toContain(String(pid));
      await rig.driver.remove(set);
      expect(existsSync(group)).toBe(false);
    },
    60_000,
  );

  it("is another one after the instance has ended and is started again", async () => {
    await using rig = await DriverRig.start(await containmentHere());
    const set = await rig.handler("export default async () => 7;");
    await rig.instance(set, isReady);
    const [pid = 0] = await instancesNaming(set.versionId);
    const first = (await groupOf(pid)) ?? "";
    process.kill(pid, "SIGKILL");
    await rig.instance(set, ({ state, restarts }) => state === "ready" && restarts === 1);
    const [next = 0] = await instancesNaming(set.versionId);
    expect(await groupOf(next)).not.toBe(first);
    expect(existsSync(first)).toBe(false);
  }, 60_000);

  it("is removed with those of all others when the driver ends", async () => {
    const rig = await DriverRig.start(await containmentHere());
    const set = await rig.handler("export default async () => 7;");
    await rig.instance({ ...set, replicas: 2 }, isReady);
    const pids = await eventually(async () => {
      const found = await instancesNaming(set.versionId);
      return found.length === 2 && found;
    });
    const all = dirname((await groupOf(pids[0] ?? 0)) ?? "");
    expect(existsSync(all)).toBe(true);
    await rig[Symbol.asyncDispose]();
    expect(existsSync(all)).toBe(false);
  }, 60_000);

  it("is not there where the operator wants none", async () => {
    await using rig = await DriverRig.start(await containmentHere(), { controlGroups: "none" });
    const set = await rig.handler("export default async () => 7;");
    await rig.instance(set, isReady);
    const [pid = 0] = await instancesNaming(set.versionId);
    expect(await groupOf(pid)).toBeUndefined();
    expect(rig.driver.enforcement).toMatchObject({ memory: "watched", lacks: "SERVING_CONTROL_GROUPS is none" });
  }, 60_000);
});

describe.skipIf(lacks === undefined)(`a driver that is to have control groups (without: ${lacks ?? "nothing"})`, () => {
  it("does not start where a controller is missing, and says which and what to do", async () => {
    await using rig = await DriverRig.start(await containmentHere());
    const before = await filesBelow(rig.directory);
    const started = rig.startDriver({ controlGroups: "required" });
    await expect(started).rejects.toThrow(/^SERVING_CONTROL_GROUPS is required, and .+ Delegate=cpu memory pids\.$/);
    await expect(started).rejects.toThrow(lacks);
    expect(await filesBelow(rig.directory)).toEqual(before);
  });
});
