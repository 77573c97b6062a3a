import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { createClient, type Transport } from "@connectrpc/connect";

/** A job that exists, by the ids that reach it. */
export interface Job {
  pipelineId: string;
  runId: string;
  name: string;
}

/** Creates runs until there are `count` fresh jobs. */
export async function createJobs(transport: Transport, apiKey: string, count: number): Promise<Job[]> {
  const runs = createClient(RunService, transport);
  const options = { headers: { authorization: `Bearer ${apiKey}` } };
  const { pipeline } = await runs.createPipeline({ name: "load" }, options);
  if (!pipeline) throw new Error("the pipeline was not created");
  const jobs: Job[] = [];
  while (jobs.length < count) {
    const names = Array.from({ length: Math.min(32, count - jobs.length) }, (_, index) => `job-${index}`);
    const declared = names.map((name) => ({ name, primaryMetric: "loss", primaryMetricGoal: 2 }));
    const { run } = await runs.createRun({ pipelineId: pipeline.id, name: "load", jobs: declared }, options);
    if (!run) throw new Error("the run was not created");
    jobs.push(...names.map((name) => ({ pipelineId: pipeline.id, runId: run.id, name })));
  }
  return jobs;
}
