export { PoolClosedError, QueueFullError, type TaskLimit, workerPoolErrors } from "./errors.ts";
export { FairQueue } from "./fair-queue.ts";
export { workerPoolMetrics } from "./metrics.ts";
export { type WorkerPoolConfig, workerPoolSettings } from "./settings.ts";
export { type TaskOptions, type TaskRule, type TaskRunner, WorkerPool, type WorkerPoolOptions } from "./worker-pool.ts";
