import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";

/** Failures in a row, without an answer between them, after which identity is not asked. */
const maxFailures = 5;
/** How long it is then left alone before one exchange is let through to see, ms. */
const halfOpenAfterMs = 1_000;
const outages: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded]);
/** What identity answers when it is there, but an issuer or the notebook hub, which it asks about some credentials, is away. */
const outagesElsewhere: ReadonlySet<string> = new Set(["ISSUER_UNAVAILABLE", "NOTEBOOK_HUB_UNAVAILABLE"]);

/** The circuit breaker of identity: while it does not answer, only one probing call waits for it. */
export class IdentityCircuit {
  readonly #policy = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(maxFailures),
  });
  #lastOutage: unknown;

  /** Whether identity is left alone just now. */
  get isOpen(): boolean {
    return this.#policy.state !== CircuitState.Closed;
  }

  /** @throws what `ask` throws; without asking, what it threw last while identity is left alone */
  async run<R>(ask: () => Promise<R>): Promise<R> {
    // The library would have the others wait for the one who tries.
    if (this.#policy.state === CircuitState.HalfOpen) throw this.#lastOutage;
    try {
      return await this.#policy.execute(ask);
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw this.#lastOutage;
      if (isOutage(error)) this.#lastOutage = error;
      throw error;
    }
  }
}

function isOutage(error: unknown): boolean {
  const failure = ConnectError.from(error, Code.Unavailable);
  const isElsewhere = failure.findDetails(ErrorInfoSchema).some(({ reason }) => outagesElsewhere.has(reason));
  return outages.has(failure.code) && !isElsewhere;
}
