import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exitCodes } from "@aiplatform/cli";
import type { Description } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { runPlatformctl, type Settings } from "./run-platformctl.ts";

let description: Description;
sharedPlatform((started) => {
  description = started.description;
});

const reachable = () => ({ PLATFORM_URL: description.gateway, PLATFORM_API_KEY: description.api_key });
const ctl = (args: string[], settings: Partial<Settings> = {}) =>
  runPlatformctl(args, { env: reachable(), ...settings });

const answer = async (args: string[]) => {
  const { code, out, err } = await ctl(args);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

describe("a run of one's own", () => {
  const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
  const env = () => ({ ...process.env, ...reachable() });
  const program = async (args: string[]) => {
    const run = promisify(execFile)("node", ["--disable-warning=ExperimentalWarning", main, ...args], { env: env() });
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };
  const yaml = `
name: from a file
jobs:
  - name: train   # one trainer
    primary_metric: loss
    primary_metric_goal: minimize
    configuration: {learning_rate: 0.01, layers: [64, 10]}
tags: {team: vision}
`;
  const newRun = async (directory: string) => {
    const file = join(directory, "run.yaml");
    await writeFile(file, yaml);
    const pipeline = await answer(["create-pipeline", "--name", `by file ${randomUUID()}`]);
    const { stdout } = await program(["create-run", pipeline.id, "-f", file, "--notes", "beside it"]);
    return { pipeline: pipeline.id, run: JSON.parse(stdout) };
  };
  const inFolder = async (use: (directory: string) => Promise<void>) => {
    const directory = await mkdtemp(join(tmpdir(), "platformctl-run-"));
    await use(directory).finally(() => rm(directory, { recursive: true, force: true }));
  };
  const point = (pipeline: string, run: string, step: number) =>
    answer(["send-metrics", pipeline, run, "train", "--metrics", `{"loss": ${1 / step}}`, "--step", `${step}`]);
  const enter = (pipeline: string, run: string, attachment: string, ...state: string[]) =>
    answer(["report-job-state", pipeline, run, "train", "--attachment-id", attachment, "--state", ...state]);

  it("is created from a file of YAML, and watched line by line until it is completed", () =>
    inFolder(async (directory) => {
      const { pipeline, run } = await newRun(directory);
      expect(run).toMatchObject({ name: "from a file", notes: "beside it", tags: { team: "vision" } });
      expect(run.jobs[0].job.configuration).toEqual({ learning_rate: 0.01, layers: [64, 10] });
      const watched = program(["watch", run.id, "--pipeline", pipeline]);
      const { attachment_id } = await point(pipeline, run.id, 1);
      await point(pipeline, run.id, 4);
      await enter(pipeline, run.id, attachment_id, "completed");
      const { code, stdout, stderr } = await watched;
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^completed {2}step 4 {2}loss 0.25 {2}best 0.25/m);
      expect(stdout).not.toContain("\u001b");
    }));

  it("is drawn at a terminal, and its failure is explained and told by the exit status", () =>
    inFolder(async (directory) => {
      const { pipeline, run } = await newRun(directory);
      const { attachment_id } = await point(pipeline, run.id, 1);
      await point(pipeline, run.id, 4);
      await enter(pipeline, run.id, attachment_id, "failed", "--detail", "out of memory");
      const { code, out, err } = await ctl(["watch", run.id, "--pipeline", pipeline], { isTerminal: true });
      expect([code, err]).toEqual([exitCodes.failed, "failed: out of memory\n"]);
      expect(out).toMatch(/^ {3}1 ┤[^ ]/m);
      expect(out).toMatch(/^0.25 ┤ .*\n +1 +4\nfailed {2}step 4 {2}loss 0.25/m);
    }));

  it("that is not there, and a file that is no YAML, are told by the exit status", () =>
    inFolder(async (directory) => {
      const { code } = await ctl(["watch", randomUUID(), "--pipeline", description.pipeline_id]);
      expect(code).toBe(exitCodes.notFound);
      await writeFile(join(directory, "run.yaml"), "jobs: [");
      const bad = await ctl(["create-run", description.pipeline_id, "-f", join(directory, "run.yaml")]);
      expect([bad.code, bad.err]).toEqual([exitCodes.usage, expect.stringContaining("--file is not YAML")]);
    }));
});
