import { compileApi } from "./api.ts";
import { FetchExchange } from "./fetch/exchange.ts";
import type { ApiOptions, CallContext } from "./options.ts";
import type { Operation } from "./routes/operation.ts";

/** A request whose call is being prepared. */
export interface FetchCall {
  readonly operation: Operation;
  readonly request: Request;
  readonly requestId: string;
  /** Headers that the answer has whatever it is. */
  readonly answerHeaders: Headers;
}

/** `Args`: what the handler is called with besides the request, such as the bindings of a worker or the context of a router. */
export interface FetchHandlerOptions<Args extends unknown[] = []> extends ApiOptions {
  /** Runs before the body is read: credential, rate, permission. What it throws is answered as an error. */
  readonly prepare?: (call: FetchCall, ...args: Args) => Promise<CallContext>;
}

/** Answers a request. Undefined when no route has its path: nothing has been done then. */
export type FetchHandler<Args extends unknown[] = []> = (
  request: Request,
  ...args: Args
) => Promise<Response | undefined>;

/**
 * Serves annotated RPCs as REST operations for requests as fetch has them: in Deno, Bun and Workers, under a router, in tests.
 * @throws ContractError when the annotations contradict each other
 */
export function createFetchHandler<Args extends unknown[] = []>(
  options: FetchHandlerOptions<Args>,
): FetchHandler<Args> {
  const { prepare } = options;
  const api = compileApi(options);
  return async (request, ...args) => {
    const exchange = new FetchExchange(request);
    const found = api.find(exchange);
    if (found === undefined) return undefined;
    const { answerHeaders } = exchange;
    found
      .answer(
        exchange,
        prepare && ((operation, requestId) => prepare({ operation, request, requestId, answerHeaders }, ...args)),
      )
      // Not awaited: a streamed answer goes on after its Response.
      .catch((error: unknown) => exchange.fail(error));
    return exchange.answer;
  };
}
