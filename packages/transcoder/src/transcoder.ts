import type { IncomingMessage, ServerResponse } from "node:http";
import { compileApi, type Match } from "./api.ts";
import { answerError, type ErrorAnswer } from "./errors/writer.ts";
import { NodeExchange } from "./node/exchange.ts";
import type { ApiOptions, CallContext } from "./options.ts";
import type { Operation } from "./routes/operation.ts";

export interface TranscoderOptions extends ApiOptions {
  /** Runs in `handle` before the body is read: credential, rate, permission. What it throws is answered as an error. */
  readonly prepare?: (
    operation: Operation,
    request: IncomingMessage,
    requestId: string,
    response: Pick<ServerResponse, "setHeader" | "statusCode">,
  ) => Promise<CallContext>;
}

export interface Transcoder {
  /** Answers a request. False when no route has its path: nothing has been done then. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** The operations at a request's path, for a caller that prepares calls by itself; undefined when no route has the path. */
  match(request: Pick<IncomingMessage, "method" | "url">): OperationMatch | undefined;
  /** An OpenAPI 3.1.0 document of all operations. */
  openApi(): object;
  readonly operations: readonly Operation[];
}

/** What a request's path leads to. */
export interface OperationMatch {
  /** The operation that the request is for; undefined when there is none for its method. */
  readonly operation: Operation | undefined;
  /** Answers a request without an operation: OPTIONS, and 405 for all others. */
  refuseMethod(request: IncomingMessage, response: ServerResponse): void;
  /** Makes the call and answers with what comes of it, failures included. */
  answer(request: IncomingMessage, response: ServerResponse, context: CallContext): Promise<void>;
  /** Answers with a failure that came before the call. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void;
}

/** Serves annotated RPCs as REST operations over `node:http`. @throws ContractError when the annotations contradict each other. */
export function createTranscoder(options: TranscoderOptions): Transcoder {
  const { prepare } = options;
  const api = compileApi(options);
  return {
    operations: api.operations,
    openApi: () => api.openApi(),
    match({ method = "GET", url = "/" }) {
      const found = api.find({ method, target: url });
      return found && new NodeMatch(found);
    },
    handle(request, response) {
      const exchange = new NodeExchange(request, response);
      const found = api.find(exchange);
      if (found === undefined) return false;
      void found.answer(
        exchange,
        prepare && ((operation, requestId) => prepare(operation, request, requestId, response)),
      );
      return true;
    },
  };
}

/** Answers any failure in the form that all operations share. Does nothing but close once a byte has been answered. */
export function writeError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  answer: ErrorAnswer,
): void {
  answerError(new NodeExchange(request, response), error, answer);
}

class NodeMatch implements OperationMatch {
  readonly #match: Match;

  constructor(match: Match) {
    this.#match = match;
  }

  get operation(): Operation | undefined {
    return this.#match.operation;
  }

  refuseMethod(request: IncomingMessage, response: ServerResponse): void {
    this.#match.refuseMethod(new NodeExchange(request, response));
  }

  answer(request: IncomingMessage, response: ServerResponse, context: CallContext): Promise<void> {
    return this.#match.answer(new NodeExchange(request, response), undefined, context);
  }

  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.#match.fail(new NodeExchange(request, response), error);
  }
}
