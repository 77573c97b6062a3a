import { createHash } from "node:crypto";
import { JobState, type TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { as, type DemoClients, unless } from "./demo-clients.ts";

const endings: ReadonlyMap<JobState, string> = new Map([
  [JobState.COMPLETED, "completed"],
  [JobState.FAILED, "failed"],
  [JobState.ABORTED, "been aborted"],
]);

export interface RunIds {
  pipeline_id: string;
  run_id: string;
}

/** What the run is to be. */
export interface RunPlan {
  apiKey: string;
  job: MessageInitShape<typeof TrainingJobSchema>;
  /** Ids of last time. */
  known: RunIds | undefined;
  log: (line: string) => void;
}

/** Finds the pipeline and its run, or creates them; a run that has ended is followed by a new one. */
export async function seedRun(clients: DemoClients, plan: RunPlan): Promise<RunIds> {
  const { known, apiKey, job, log } = plan;
  const { runs } = clients;
  const found = known && (await unless(runs.getRun({ runId: known.run_id }, as(apiKey)), Code.NotFound));
  const ending = endings.get(found?.run?.jobs[0]?.state ?? JobState.UNSPECIFIED);
  if (known && ending) log(`the demo run ${known.run_id} has ${ending}; a new one begins`);
  if (known && found && !ending) return { pipeline_id: known.pipeline_id, run_id: known.run_id };
  // A start that is cut short makes no second one: the next finds what this one made by the same keys.
  const key = `demo ${createHash("sha256").update(JSON.stringify(job)).digest("hex")}`;
  const after = known ? `${key} after ${known.run_id}` : key;
  const pipelineId = found ? known?.pipeline_id : await newPipeline(clients, apiKey, after);
  const wanted = { pipelineId: pipelineId ?? "", name: "digits by gradient descent", jobs: [job] };
  const { run } = await runs.createRun({ ...wanted, idempotencyKey: after }, as(apiKey));
  return { pipeline_id: run?.pipelineId ?? "", run_id: run?.id ?? "" };
}

async function newPipeline({ runs }: DemoClients, apiKey: string, idempotencyKey: string): Promise<string> {
  const { pipeline } = await runs.createPipeline({ name: "MNIST digits", idempotencyKey }, as(apiKey));
  return pipeline?.id ?? "";
}
