import type { Message } from "@bufbuild/protobuf";
import { type HttpError, toHttpError, unprocessable } from "./errors/http-error.ts";
import { ProblemList } from "./errors/problem-list.ts";
import { withoutSecrets } from "./errors/redaction.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Handler } from "./handlers.ts";
import type { ApiOptions, CallContext, Prepare, TranscoderLimits } from "./options.ts";
import type { RequestParts } from "./request/reader.ts";
import { placeOf } from "./request/refused-place.ts";
import type { RouteTable } from "./routes/route-table.ts";

/** What every call is made with. */
export interface Settings
  extends Required<TranscoderLimits & Pick<ApiOptions, "documentPolicy">>,
    Omit<ApiOptions, "limits" | "documentPolicy"> {
  readonly routes: RouteTable<Handler>;
}

/** A request for an operation. */
export interface Call {
  readonly handler: Handler;
  readonly request: Pick<Exchange, "target" | "header">;
  readonly segments: readonly string[];
  readonly requestId: string;
  readonly prepare: Prepare | undefined;
  context: CallContext | undefined;
  /** Set once the body is known, so that errors can quote it. */
  parts?: RequestParts;
  /** What an error about the body cannot say in its own words. */
  hint?: string | undefined;
}

/** What the call is made with, before the body is read. Throws what `prepare` throws. */
export async function prepareCall(call: Call): Promise<CallContext> {
  call.context ??= (await call.prepare?.(call.handler.compiled.operation, call.requestId)) ?? {
    headers: new Headers(),
  };
  call.context.headers.set("x-request-id", call.requestId);
  return call.context;
}

/** The request's message. Throws {@link HttpError} 422 with every problem; `onRefused` is told of them before. */
export function readMessage(
  call: Call,
  body: RequestParts["body"],
  { problems: maxProblems }: Pick<Settings, "problems">,
  onRefused?: (problems: ProblemList) => void,
): Message {
  const { handler, request, segments } = call;
  call.parts = { segments, query: queryOf(request.target), request, body };
  const problems = new ProblemList(maxProblems);
  const message = handler.read(call.parts, problems);
  if (!problems.refuses) return message;
  onRefused?.(problems);
  throw unprocessable(problems.entries);
}

/** A failure of a call as it is answered. Those of 500 or more are reported. */
export function failureOf({ handler, requestId, parts }: Call, settings: Settings, error: unknown): HttpError {
  const { operation, binding } = handler.compiled;
  const failure = withoutSecrets(
    toHttpError(error, {
      place: (field) => placeOf(field, binding, parts),
      statusOfReason: handler.statusOfReason,
    }),
    handler.secrets,
    settings.errorBytes,
  );
  if (failure.status >= 500) settings.onFailure?.(error, operation, requestId);
  return failure;
}

/** The path of a request's target. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

function queryOf(target: string): string {
  const start = target.indexOf("?");
  return start < 0 ? "" : target.slice(start + 1);
}
