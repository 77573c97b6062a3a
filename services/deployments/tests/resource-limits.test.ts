import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { offeredSandboxes } from "@aiplatform/serving-runtime/sandbox";
import { describe, expect, it } from "vitest";
import { containmentHere, DriverRig, isFailed, isReady, predict } from "./driver-rig.ts";
import { instancesNaming } from "./processes-of.ts";

const { sandboxes } = await offeredSandboxes({});

describe.each(sandboxes)("an instance in a sandbox of $kind", (sandbox) => {
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
