import { randomUUID } from "node:crypto";
import { TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { mnistJob } from "@aiplatform/mnist-trainer/mnist-job";
import { create, toJson } from "@bufbuild/protobuf";
import { ask, type Json, type Reachable } from "./rest.ts";

/** A run of a pipeline of its own with the demo's job, which no trainer takes. */
export async function newRun(platform: Reachable): Promise<Pick<Reachable, "pipeline_id" | "run_id" | "job_name">> {
  const rpc = async (name: string, input: Json): Promise<Json> => {
    const path = `/aiplatform.training.v1.RunService/${name}`;
    const { status, body, text } = await ask(platform, { path, body: input });
    if (status !== 200) throw new Error(`${name} was answered ${status}: ${text}`);
    return body;
  };
  const job = create(TrainingJobSchema, mnistJob);
  const { pipeline } = await rpc("CreatePipeline", { name: `pipeline ${randomUUID()}` });
  const wanted = { pipelineId: pipeline.id, name: "run", jobs: [toJson(TrainingJobSchema, job)] };
  const { run } = await rpc("CreateRun", wanted);
  return { pipeline_id: pipeline.id, run_id: run.id, job_name: job.name };
}
