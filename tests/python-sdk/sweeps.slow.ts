import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { sdkPython, whyNoPython } from "./sdk-python.ts";
import { sweepRig } from "./sweep-rig.ts";

const reason = await whyNoPython();
// Fetches packages if need be, which no test has the time for.
if (!reason) await sdkPython();
let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

describe.skipIf(reason)(`a sweep of the Python SDK${reason ? `: ${reason}` : ""}`, () => {
  it("trains each trial as a run, and aborts the one that is worse than the others", async () => {
    await using rig = await sweepRig(platform, 400);
    const { stdout } = await promisify(execFile)(...rig.command("here"), { env: rig.env });
    const { outcome, best, rows } = JSON.parse(stdout);
    expect([outcome, best]).toEqual(["completed", 0.1]);
    expect(rows).toMatchObject([
      { trial: 0, state: "completed", rate: 0.3 },
      { trial: 1, state: "pruned", rate: 0.9 },
      { trial: 2, state: "completed", rate: 0.1 },
    ]);
    const runs = await rig.runs();
    expect(runs.map(({ jobs, tags }) => [tags.trial, jobs[0].state, jobs[0].job.configuration])).toEqual([
      ["0", "completed", { rate: 0.3 }],
      ["1", "aborted", { rate: 0.9 }],
      ["2", "completed", { rate: 0.1 }],
    ]);
  }, 180_000);
});
