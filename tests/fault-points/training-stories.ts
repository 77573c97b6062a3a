import { randomUUID } from "node:crypto";
import { commandsPath, type Json, jobPath } from "../mesh/rest.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import type { Story } from "./tale.ts";

/** A run with one job that has no trainer. */
async function job(environment: FaultyPlatform) {
  const { pipeline } = await environment.made("RunService/CreatePipeline", { name: "faults" });
  const jobs = [{ name: "train" }];
  const { run } = await environment.made("RunService/CreateRun", { pipelineId: pipeline.id, name: "faults", jobs });
  return { ...environment.platform.description, pipeline_id: pipeline.id, run_id: run.id, job_name: "train" };
}

async function createTrainingControlCommand(environment: FaultyPlatform) {
  const address = await job(environment);
  const key = randomUUID();
  return {
    request: { path: commandsPath(address), body: { action: "pause", idempotency_key: key } },
    records: 1,
    expected: { commands: [[1, key, "pause"]], answered: true },
    async found({ body }: Json) {
      const commands: Json[] = await environment.read(`${jobPath(address)}/commands`);
      return {
        commands: commands.map(({ sequence, idempotency_key, action }) => [sequence, idempotency_key, action]),
        answered: commands[0]?.id === body.id,
      };
    },
  };
}

async function getRunMetrics(environment: FaultyPlatform) {
  const { pipeline_id, run_id } = await job(environment);
  return {
    request: { path: `/pipelines/${pipeline_id}/runs/${run_id}/metrics/` },
    expected: { status: "queued", sequence: 0 },
    found: async ({ body }: Json) => ({ status: body.status, sequence: body.sequence }),
  };
}

/** Of the service that steers training. */
export const trainingStories: readonly Story[] = [
  {
    title: "createTrainingControlCommand",
    operation: "createTrainingControlCommand",
    prepare: createTrainingControlCommand,
  },
  { title: "getRunMetrics", operation: "getRunMetrics", prepare: getRunMetrics },
];
