import { WorkerPool, type WorkerPoolConfig, type WorkerPoolOptions } from "@aiplatform/worker-pool";
import { SchemaLimitError } from "../bundles/schema-problems.ts";
import type { DeploymentsTasks } from "./tasks.ts";

/** Bundled, the threads' program lies beside the service's. */
const extension = import.meta.filename.endsWith(".ts") ? "ts" : "js";
const program = new URL(`./deployments-task-thread.${extension}`, import.meta.url);

/** Twice what a schema of the greatest length with a pattern for each property takes. */
const schemaLimitMs = 3_000;

/** Starts the worker threads for what takes long of a request. */
export function startTasks(
  config: WorkerPoolConfig,
  observed: Pick<WorkerPoolOptions<DeploymentsTasks>, "logger" | "meter">,
): WorkerPool<DeploymentsTasks> {
  const schemaProblem = { limitMs: schemaLimitMs, exceeded: () => new SchemaLimitError() };
  return new WorkerPool<DeploymentsTasks>({ ...observed, config, program, rules: { schemaProblem }, errors: [] });
}
