import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { type Json, until } from "../mesh/rest.ts";
import { sdkFolder, whyNoPython } from "./sdk-python.ts";
import { type SweepRig, sweepRig } from "./sweep-rig.ts";

const reason = await whyNoPython();
const page = stepsOf(await readFile(join(sdkFolder, "docs", "sweeps.md"), "utf8"));
let platform: SharedPlatform;
sharedPlatform((started) => (platform = started));

const sweptTo = (rows: Json[]) => rows.map(({ trial, state }) => `${trial} ${state}`);

/** Kills a sweep as a power cut would, once so many steps were taken in all. */
async function killedAfter(rig: SweepRig, steps: number): Promise<void> {
  const sweep: ChildProcess = spawn(...rig.command("here"), { env: rig.env, stdio: "ignore" });
  await until(
    `${steps} steps`,
    60,
    () => rig.stepsTaken(),
    (taken) => taken.length >= steps,
  );
  sweep.kill("SIGKILL");
  await once(sweep, "exit");
  expect(sweep.signalCode).toBe("SIGKILL");
}

describe.skipIf(reason)(`a sweep that is killed${reason ? `: ${reason}` : ""}`, () => {
  it("goes on with the trial that was under way, and begins no trial twice", async () => {
    await using rig = await sweepRig(platform.description, 400);
    for (const steps of [1, 150, 350, 420, 450]) await killedAfter(rig, steps);
    const { stdout } = await promisify(execFile)(...rig.command("here"), { env: rig.env });
    const { outcome, rows } = JSON.parse(stdout);
    expect([outcome, ...sweptTo(rows)]).toEqual(["completed", "0 completed", "1 pruned", "2 completed"]);
    const runs = await rig.runs();
    expect(runs.map(({ tags }) => tags.trial)).toEqual(["0", "1", "2"]);
    expect(rows.map((row: Json) => row.run_id)).toEqual(runs.map(({ id }) => id));
    const ofFirst = (await rig.stepsTaken()).filter((line) => line.startsWith("0.3 "));
    // A checkpoint each 10 steps: what a kill repeats are the steps since the last one.
    expect(new Set(ofFirst).size).toBe(400);
    expect(ofFirst.length).toBeLessThan(400 + 3 * 50);
  });

  it("has trials that are trained elsewhere, and stops the bad one there", async () => {
    await using rig = await sweepRig(platform.description, 400);
    const { stdout } = await promisify(execFile)(...rig.command("elsewhere"), { env: rig.env });
    expect(sweptTo(JSON.parse(stdout).rows)).toEqual(["0 completed", "1 pruned", "2 completed"]);
    expect((await rig.runs()).map(({ jobs }) => jobs[0].state)).toEqual(["completed", "aborted", "completed"]);
  });
});

describe.skipIf(reason)("the page about sweeps, followed as it says", () => {
  let followed: Followed;
  beforeAll(async () => {
    // Packages come from where this machine's pip is set up to look.
    const settings = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|PIP_\w+)$/.test(name));
    followed = await follow(page, { cwd: platform.home, seconds: 600, env: Object.fromEntries(settings) });
  });

  it("goes through to its end", () => {
    expect(followed).toMatchObject({ code: 0 });
  });

  it.each(page.flatMap(({ shown }, index) => (shown === undefined ? [] : [[index, shown] as const])))(
    "shows in block %i what is printed",
    (index, shown) => {
      expect(followed.outputs[index]).toMatch(patternOf(shown));
    },
  );
});
