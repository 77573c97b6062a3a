import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { programEnvironment } from "@aiplatform/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, metricsPath, type Reachable } from "../mesh/rest.ts";
import { sdkFolder, sdkPython, whyNoPython } from "../python-sdk/sdk-python.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";

const reason = await whyNoPython();
// Fetches packages if need be, which no test has the time for.
if (!reason) await sdkPython();
let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);

/** The example of a page that reads the data `houses`. */
async function exampleOf(page: string, language: string): Promise<string> {
  const text = await readFile(page, "utf8");
  const blocks = [...text.matchAll(/```(\w+)\n(.*?)```/gs)].filter(([, name]) => name === language);
  return blocks.map(([, , code = ""]) => code).find((code) => code.includes('"houses"')) ?? "";
}

async function created(path: string, body: Json): Promise<Json> {
  const answer = await ask(platform, { path, body });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Runs a trainer to its end; answers the names of the files of datasets that it has left. */
async function train(job: Reachable & { key: string }, [command = "", ...args]: string[], packages: Json = {}) {
  const directory = await mkdtemp(join(tmpdir(), "data-of-a-run-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const env = {
    ...programEnvironment(),
    ...packages,
    PLATFORM_URL: job.gateway,
    PLATFORM_API_KEY: job.key,
    PIPELINE_ID: job.pipeline_id,
    RUN_ID: job.run_id,
    JOB_NAME: job.job_name,
    DATA_DIRECTORY: join(directory, "job"),
    DATASET_DIRECTORY: join(directory, "datasets"),
  };
  const options = { env, cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] as const };
  const trainer = spawn(command, args, { ...options, stdio: [...options.stdio] });
  expect(await once(trainer, "exit")).toEqual([0, null]);
  return (await readdir(join(directory, "datasets"))).filter((name) => name.endsWith(".parquet"));
}

describe("a trainer reads the rows that its run names, with a key that may read no other data, and trains on them", () => {
  const count = 30_000;
  let ready: Json;
  let run: string;
  let key: string;
  const job = () => ({ ...platform, pipeline_id: run.split("/")[3] ?? "", run_id: run.split("/")[5] ?? "", key });
  beforeAll(async () => {
    const { id, versions } = await data.dataset(`Houses ${randomUUID()}`);
    const prices = Array.from({ length: count }, (_, index) => `${index},${index / 2}`);
    ready = await data.ready(versions, `id,price\n${prices.join("\n")}\n`);
    const permission_ids = ["metrics:report", "models:write"];
    ({ secret: key } = await created("/platform/api-keys", { name: "trainer", permission_ids }));
    const pipeline = await created("/platform/pipelines", { name: `Houses ${randomUUID()}` });
    const runs = `/platform/pipelines/${pipeline.id}/runs`;
    const datasets = [{ name: "houses", dataset_id: id, version_id: ready.id }];
    const jobs = ["python", "typescript"].map((name) => ({ name }));
    run = `${runs}/${(await created(runs, { name: "reads", jobs, datasets })).id}`;
  });

  it.skipIf(reason)("in Python, by the example of its page", async () => {
    const python = { ...job(), job_name: "python" };
    const { python: interpreter, ...packages } = await sdkPython();
    const program = await exampleOf(join(sdkFolder, "README.md"), "python");
    expect(await train(python, [interpreter, "-c", program], packages)).toEqual([`${ready.content_sha256}.parquet`]);
    const { body } = await ask(platform, { path: metricsPath(python, "?metric=mean&job_name=python") });
    const mean = (count - 1) / 4;
    expect(body.series.mean.values).toEqual([mean, mean, mean]);
    expect((await ask(platform, { path: `${run}/jobs/python` })).body.state).toBe("completed");
  });

  it("in TypeScript, by the example of its page", async () => {
    const typescript = { ...job(), job_name: "typescript" };
    const example = await exampleOf(join(import.meta.dirname, "../../packages/trainer/README.md"), "ts");
    const program = `
import { connectOverHttps, runTrainer, StateWorkload } from "@aiplatform/trainer";
const { PLATFORM_URL: url = "", PLATFORM_API_KEY: apiKey = "", PIPELINE_ID: pipelineId = "" } = process.env;
const { RUN_ID: runId = "", JOB_NAME: jobName = "" } = process.env;
const { DATA_DIRECTORY: directory = "", DATASET_DIRECTORY: datasetDirectory = "" } = process.env;
${example}
const options = { runId, jobName, directory, datasetDirectory, stepsPerSecond: 0, log: () => {} };
const trainer = await runTrainer({ ...connectOverHttps({ url, apiKey, pipelineId }), ...options }, reading);
if ((await trainer.done) !== "ended") process.exitCode = 1;
`;
    const command = [process.execPath, "--input-type=module-typescript", "--eval", program];
    expect(await train(typescript, command)).toEqual([`${ready.content_sha256}.parquet`]);
    const { body } = await ask(platform, { path: metricsPath(typescript, "?metric=mean&job_name=typescript") });
    let expected = 0;
    for (let step = 0; step < 100; step++) expected += 0.1 * (step / 2 - expected);
    expect(body.series.mean.values.at(-1)).toBeCloseTo(expected);
    expect((await ask(platform, { path: `${run}/jobs/typescript` })).body.state).toBe("completed");
  });
});
