import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, commandApplied, type Json, jobPath, metricsPath, type Reachable, until } from "../mesh/rest.ts";
import { sdkFolder, sdkPython, whyNoPython } from "./sdk-python.ts";

const reason = await whyNoPython();
// Fetches packages if need be, which no test has the time for.
if (!reason) await sdkPython();
let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

async function created(path: string, body: Json): Promise<Json> {
  const answer = await ask(platform, { path, body });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A job that the program of the SDK's tests can train, and a key for it. */
async function newJob(): Promise<Reachable & { key: string }> {
  const { id } = await created("/platform/pipelines", { name: `Python ${randomUUID()}` });
  const overrides = [{ key: "learning_rate", type: "number", class: "hot" }];
  const job = { name: "train", primary_metric: "loss", primary_metric_goal: "minimize", overrides };
  const run = await created(`/platform/pipelines/${id}/runs`, { name: "run", jobs: [job] });
  const permissions = { name: "trainer", permission_ids: ["metrics:report", "models:write"] };
  const { secret } = await created("/platform/api-keys", permissions);
  return { ...platform, pipeline_id: id, run_id: run.id, job_name: "train", key: secret };
}

/** A process that trains the job in a directory. */
async function train(job: Reachable & { key: string }, directory: string): Promise<ChildProcess> {
  const { python, ...packages } = await sdkPython();
  const env = {
    ...process.env,
    ...packages,
    PLATFORM_URL: job.gateway,
    PLATFORM_API_KEY: job.key,
    PIPELINE_ID: job.pipeline_id,
    RUN_ID: job.run_id,
    JOB_NAME: job.job_name,
    DATA_DIRECTORY: directory,
  };
  return spawn(python, [join(sdkFolder, "tests", "decay.py")], { env, stdio: ["ignore", "pipe", "inherit"] });
}

/** Steps of the points of a segment, in the order of the answer. */
async function stepsOf(job: Reachable, segment: number): Promise<number[]> {
  const query = `?metric=loss&max_points=5000&include_archived=true&segment=${segment}`;
  const { body } = await ask(job, { path: metricsPath(job, query) });
  return body?.series?.loss?.steps ?? [];
}

const runPath = ({ pipeline_id, run_id }: Reachable) => `/platform/pipelines/${pipeline_id}/runs/${run_id}`;

/** What the job has shown, of all segments. */
async function imagesOf(job: Reachable): Promise<Json[]> {
  const query = "?include_archived=true&limit=1000&filter=name%20%3D%20loss%20AND%20kind%20%3D%20image";
  return (await ask(job, { path: `${runPath(job)}/media${query}` })).body;
}

const reached = (job: Reachable, segment: number, step: number) =>
  until(
    `step ${step} of segment ${segment}`,
    60,
    () => stepsOf(job, segment),
    (steps) => (steps.at(-1) ?? 0) >= step,
  );

describe.skipIf(reason)(`the Python trainer on a platform${reason ? `: ${reason}` : ""}`, () => {
  it("obeys every command, is killed and goes on, and reports each point once", async () => {
    const job = await newJob();
    const directory = await mkdtemp(join(tmpdir(), "python-trainer-"));
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const kill = async (trainer: ChildProcess) => {
      trainer.kill("SIGKILL");
      if (trainer.exitCode === null && trainer.signalCode === null) await once(trainer, "exit");
    };
    const first = await train(job, directory);
    cleanup.defer(() => kill(first));
    await reached(job, 0, 50);
    const overrides = { runtime_overrides: { learning_rate: 0.02 } };
    expect(await commandApplied(job, "continue", overrides)).toMatchObject({ status: "applied" });
    expect(await commandApplied(job, "pause")).toMatchObject({ status: "applied" });
    expect(await commandApplied(job, "resume")).toMatchObject({ status: "applied" });
    await reached(job, 1, ((await stepsOf(job, 0)).at(-1) ?? 0) + 5);
    await kill(first);
    expect(first.signalCode).toBe("SIGKILL");

    const second = await train(job, directory);
    cleanup.defer(() => kill(second));
    await reached(job, 1, ((await stepsOf(job, 1)).at(-1) ?? 0) + 20);
    expect(await commandApplied(job, "rollback")).toMatchObject({ status: "applied" });
    expect(await commandApplied(job, "warm_restart", overrides)).toMatchObject({ status: "applied" });
    await reached(job, 3, ((await stepsOf(job, 3)).at(-1) ?? 0) + 5);
    for (const segment of [0, 1, 2, 3]) {
      const steps = await stepsOf(job, segment);
      const from = steps[0] ?? 0;
      expect(steps).toEqual(steps.map((_, index) => from + index));
    }
    const media = await until(
      "three images",
      30,
      () => imagesOf(job),
      ({ length }) => length > 2,
    );
    const places = media.map(({ segment_index, step }) => `${segment_index}/${step}`);
    expect(media.map(({ step }) => step % 100).every((rest) => rest === 0)).toBe(true);
    expect(new Set(places).size).toBe(places.length);
    const path = `${runPath(job)}/media/${media[0]?.id}/content`;
    const content = await fetch(platform.gateway + path, { headers: { authorization: `Bearer ${platform.bearer}` } });
    expect([content.status, content.headers.get("content-type")]).toEqual([200, "image/png"]);
    let said = "";
    second.stdout?.on("data", (text) => {
      said += text;
    });
    expect(await commandApplied(job, "finish_from_checkpoint")).toMatchObject({ status: "applied" });
    await once(second, "close");
    expect([second.exitCode, said]).toEqual([0, "finished\n"]);
    const result = () => ask(job, { path: `${jobPath(job)}/result` });
    const { text } = await until("the result to be there", 30, result, ({ status }) => status === 200);
    expect(Number(/^loss (.+)$/.exec(text)?.[1])).toBeLessThan(1);
  });
});
