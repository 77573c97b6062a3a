import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";

/** The organisation already has as many tasks waiting as it may have. */
export class QueueFullError extends Error {
  override name = "QueueFullError";
  constructor() {
    super("Too many tasks of the organisation are waiting; try again");
  }
}

/** The pool is closing and takes no more tasks. */
export class PoolClosedError extends Error {
  override name = "PoolClosedError";
  constructor() {
    super("The service is shutting down; try again");
  }
}

/** What a task can have too much of. */
export type TaskLimit = "time" | "memory";

/** A task went over a limit, and its thread was ended. The pool turns it into the error of the task's rule. */
export class TaskLimitError extends Error {
  override name = "TaskLimitError";
  readonly limit: TaskLimit;
  constructor(limit: TaskLimit) {
    super(`the task took too much ${limit}`);
    this.limit = limit;
  }
}

/** What callers see of a pool's failures; a service spreads it into its own table. */
export const workerPoolErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [QueueFullError, { code: Code.Unavailable, reason: "WORKER_QUEUE_FULL" }],
  [PoolClosedError, { code: Code.Unavailable, reason: "SHUTTING_DOWN" }],
]);
