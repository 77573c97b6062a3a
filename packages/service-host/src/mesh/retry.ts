import { setTimeout as delay } from "node:timers/promises";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { NoReplicaError } from "./mesh-channels.ts";

interface RetryOptions {
  /** Calls made at most, the first included; default 3. */
  readonly attempts?: number;
  /** Longest wait before the first retry, doubled for each further one; milliseconds, default 50. */
  readonly baseDelayMs?: number;
  /** Retries allowed per successful or first call; default 0.1, so that retries never add more than a tenth to the load. */
  readonly budgetRatio?: number;
  readonly random?: () => number;
}

/** Retries saved up while all is well; enough for a restart of a replica, not for a storm. */
const fullestBudget = 10;

/**
 * Retries unary calls that the contract marks idempotent, on UNAVAILABLE only, after a random wait, within a budget that
 * all calls of a transport share. The deadline of the call covers all attempts.
 */
export function retryInterceptor(options: RetryOptions = {}): Interceptor {
  const { attempts = 3, baseDelayMs = 50, budgetRatio = 0.1, random = Math.random } = options;
  let budget = fullestBudget;
  return (next) => async (request) => {
    if (request.stream || request.method.idempotency === Idempotency.IDEMPOTENCY_UNKNOWN) return next(request);
    budget = Math.min(fullestBudget, budget + budgetRatio);
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
        await delay(random() * baseDelayMs * 2 ** (attempt - 1), undefined, { signal: request.signal });
      }
    }
  };
}
