import { randomUUID } from "node:crypto";
import { JobState, type TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { as, type DemoClients, unless } from "./demo-clients.ts";

const endings: ReadonlyMap<JobState, string> = new Map([
  [JobState.COMPLETED, "completed"],
  [JobState.FAILED, "failed"],
  [JobState.ABORTED, "been aborted"],
]);

/** Ids of a run and its pipeline. */
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
  /** Keeps the ids, before anything is created under them: a start that is cut short makes no second run. */
  remember: (ids: RunIds) => Promise<void>;
  log: (line: string) => void;
}

/** Finds the pipeline and its run, or creates them; a run that has ended is followed by a new one. */
export async function seedRun(clients: DemoClients, plan: RunPlan): Promise<RunIds> {
  const { known, apiKey, job, log } = plan;
  const { runs } = clients;
  const found = known && (await unless(runs.getRun({ runId: known.run_id }, as(apiKey)), Code.NotFound));
  const ending = endings.get(found?.run?.jobs[0]?.state ?? JobState.UNSPECIFIED);
  if (known && ending) log(`the demo run ${known.run_id} has ${ending}; a new one begins`);
  const ids = {
    pipeline_id: known?.pipeline_id ?? randomUUID(),
    run_id: known && !ending ? known.run_id : randomUUID(),
  };
  await plan.remember(ids);
  if (found && !ending) return ids;
  const pipeline = { pipelineId: ids.pipeline_id, name: "MNIST digits" };
  await unless(runs.createPipeline(pipeline, as(apiKey)), Code.AlreadyExists);
  const run = { runId: ids.run_id, pipelineId: ids.pipeline_id, name: "digits by gradient descent", jobs: [job] };
  await unless(runs.createRun(run, as(apiKey)), Code.AlreadyExists);
  return ids;
}
