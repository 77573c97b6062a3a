import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { NoReplicaError } from "./mesh-channels.ts";

interface RetryOptions {
  /** Calls made at most, the first included; default 3. */
  readonly attempts?: number;
  /** The wait before a retry; default 50 ms, doubled for each further one. */
  readonly backoff?: Backoff;
  /** Retries allowed per successful or first call; default 0.1, so that retries never add more than a tenth to the load. */
  readonly budgetRatio?: number;
}

/** Retries saved up while all is well; enough for a restart of a replica, not for a storm. */
const maxBudget = 10;

/**
 * Retries unary calls that the contract marks idempotent, on UNAVAILABLE only, after a random wait, within a budget that
 * all calls of a transport share. The deadline of the call covers all attempts.
 */
export function retryInterceptor(options: RetryOptions = {}): Interceptor {
  const { attempts = 3, backoff = { minMs: 50, maxMs: 1_000 }, budgetRatio = 0.1 } = options;
  let budget = maxBudget;
  return (next) => async (request) => {
    if (request.stream || request.method.idempotency === Idempotency.IDEMPOTENCY_UNKNOWN) return next(request);
    budget = Math.min(maxBudget, budget + budgetRatio);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(request);
      } catch (error) {
        const failure = ConnectError.from(error);
        // A call that found no replica has waited for one already.
        const mayPass = failure.code === Code.Unavailable && !(failure.cause instanceof NoReplicaError);
        const retryable = mayPass && !request.signal.aborted;
        if (!retryable || attempt >= attempts || budget < 1) throw error;
        budget -= 1;
        await delay(backoffMs(backoff, attempt), undefined, { signal: request.signal });
      }
    }
  };
}
