import type { Message } from "@bufbuild/protobuf";
import { type Call, failureOf, pathOf, prepareCall, readMessage, type Settings } from "./call.ts";
import { type Area, absenceIn, areaOfPath, areasOf, namingResource } from "./errors/area.ts";
import { HttpError, interruptionOf } from "./errors/http-error.ts";
import { hintOfLater } from "./errors/later-problems.ts";
import { ProblemList } from "./errors/problem-list.ts";
import { answerError } from "./errors/writer.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { type Handler, routeTable } from "./handlers.ts";
import type { JsonView } from "./json/view.ts";
import { isContent } from "./messages/field-traits.ts";
import { describeOperations } from "./openapi/document.ts";
import type { ApiOptions, CallContext, Prepare } from "./options.ts";
import { hintHeader, readJson } from "./request/json-body.ts";
import { requestIdOf } from "./request/request-id.ts";
import { writeContent } from "./response/content-writer.ts";
import { strictDocumentPolicy } from "./response/renderer.ts";
import { writeStream } from "./response/stream-writer.ts";
import { answerHeaders, writeAnswer } from "./response/writer.ts";
import { compileOperations, type Operation } from "./routes/operation.ts";
import type { RouteMatch } from "./routes/route-table.ts";
import { isKnownAnswer, setConditions } from "./rpc/conditions.ts";
import { type PassedOnBody, passOnBody } from "./rpc/passed-on-body.ts";
import { followStreams } from "./streams/multiplexer.ts";

/** The operations of services, whatever server brings their requests. */
export interface Api {
  readonly operations: readonly Operation[];
  /** An OpenAPI 3.1.0 document of all operations. */
  openApi(): object;
  /** What a request leads to; undefined when no route has its path, and it lies in no area. */
  find(request: Pick<Exchange, "method" | "target">): Match | undefined;
}

/** A request that is answered. */
interface AnsweredCall extends Call {
  readonly exchange: Exchange;
  readonly area: Area | undefined;
}

/** Compiles annotated services. @throws ContractError when their annotations contradict each other. */
export function compileApi(options: ApiOptions): Api {
  const compiled = compileOperations(options.services, options.describe);
  const { documentPolicy = strictDocumentPolicy } = options;
  const routes = routeTable(compiled, documentPolicy);
  const settings: Settings = {
    bodyBytes: 1024 * 1024,
    depth: 256,
    problems: 100,
    errorBytes: 256 * 1024,
    bodyTimeoutMs: 30_000,
    deadlineMs: 35_000,
    ...options.limits,
    ...options,
    documentPolicy,
    routes,
  };
  const areas = areasOf(options.services);
  let document: object | undefined;
  return {
    operations: compiled.map(({ operation }) => operation),
    openApi() {
      document ??= describeOperations(compiled, options.describe ?? { title: "API", version: "0.0.0" });
      return document;
    },
    find({ method, target }) {
      const path = pathOf(target);
      const route = routes.find(path);
      const area = areaOfPath(areas, path);
      return (route || area) && new Match({ route, area, path }, method, settings);
    },
  };
}

/** Where a path leads: to routes, into an area, or both. */
interface Place {
  readonly route: RouteMatch<Handler> | undefined;
  readonly area: Area | undefined;
  readonly path: string;
}

/** A path, and the one of its routes that the request's method has. */
export class Match {
  readonly #place: Place;
  readonly #handler: Handler | undefined;
  readonly #settings: Settings;

  constructor(place: Place, method: string, settings: Settings) {
    this.#place = place;
    // HEAD is answered as GET is.
    this.#handler = place.route?.methods.get(method === "HEAD" ? "GET" : method);
    this.#settings = settings;
  }

  get operation(): Operation | undefined {
    return this.#handler?.compiled.operation;
  }

  /** Answers a request without an operation: where no route has its path, what its area says of that. */
  refuseMethod(exchange: Exchange): void {
    const requestId = requestIdOf(exchange.header("x-request-id"));
    const { route, area, path } = this.#place;
    if (route === undefined) {
      if (area) answerError(exchange, absenceIn(area, path), { requestId, area });
      return;
    }
    const names = [...route.methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    const allow = [...names, "OPTIONS"].join(", ");
    const refusal = new HttpError(405, "Method Not Allowed", "method_not_allowed", { allow });
    if (exchange.method === "OPTIONS") exchange.send(204, { allow, "x-request-id": requestId });
    else answerError(exchange, refusal, { requestId, area });
  }

  /** Makes the call, with the context or what `prepare` gives, and answers with what comes of it. */
  async answer(exchange: Exchange, prepare?: Prepare, context?: CallContext): Promise<void> {
    const call = this.#call(exchange, prepare, context);
    if (call === undefined) this.refuseMethod(exchange);
    else await answer(call, this.#settings);
  }

  fail(exchange: Exchange, error: unknown): void {
    const call = this.#call(exchange);
    if (call === undefined) this.refuseMethod(exchange);
    else fail(call, this.#settings, error);
  }

  #call(exchange: Exchange, prepare?: Prepare, context?: CallContext): AnsweredCall | undefined {
    const handler = this.#handler;
    const { route, area } = this.#place;
    if (handler === undefined || route === undefined) return undefined;
    const requestId = requestIdOf(exchange.header("x-request-id"));
    const segments = handler.segmentsOf(route.found);
    return { handler, area, exchange, request: exchange, segments, requestId, prepare, context };
  }
}

async function answer(call: AnsweredCall, settings: Settings): Promise<void> {
  const gone = call.exchange.watchClient();
  try {
    await attempt(call, settings, gone);
  } catch (error) {
    fail(call, settings, interruptionOf(call.context?.signal) ?? error);
  } finally {
    call.context?.done?.();
  }
}

function fail(call: AnsweredCall, settings: Settings, error: unknown): void {
  const { handler, area, exchange, requestId, hint } = call;
  const { operation } = handler.compiled;
  const failure = failureOf(call, settings, error);
  const hinted = hint === undefined || failure.status !== 422 ? {} : { [hintHeader]: hint };
  const headers = operation.takesStream ? { ...hinted, ...exchange.leaveBody(settings.bodyTimeoutMs) } : hinted;
  const named = area === undefined ? failure : namingResource(failure, operation.route.answers);
  answerError(exchange, named, { requestId, maxBytes: settings.errorBytes, headers, area });
}

async function attempt(call: AnsweredCall, settings: Settings, gone: AbortSignal): Promise<void> {
  const { handler, exchange, requestId } = call;
  const { operation } = handler.compiled;
  const { headers, signal: given } = await prepareCall(call);
  const body = handler.hasBody ? await bodyOf(call, settings) : undefined;
  const message = readMessage(call, body, settings, (problems) => {
    call.hint ??= hintOf(call, settings, problems);
  });
  if (operation.streams) return attemptStream(call, message, { settings, headers, gone });
  const { bodyPieces } = handler.compiled.binding;
  if (bodyPieces !== undefined) return attemptUpload(call, { message, field: bodyPieces }, { settings, headers, gone });
  const signal = given === undefined ? gone : AbortSignal.any([gone, given]);
  const timeoutMs = settings.deadlineMs;
  const { alternatives } = operation.route;
  setConditions(headers, exchange, { rendered: handler.compiled.binding.renderedBody !== undefined, alternatives });
  const { message: reply, header } = await settings.call.unary(operation.method, message, {
    headers,
    signal,
    timeoutMs,
  });
  if (isKnownAnswer(exchange, header)) return exchange.send(304, answerHeaders(header, requestId));
  await writeAnswer(exchange, handler.render(reply, { header, requestId, target: exchange.target }));
}

/** Passes the body on as it arrives. */
async function attemptUpload(
  { handler, exchange, requestId, context }: AnsweredCall,
  body: Pick<PassedOnBody, "message" | "field">,
  { settings, headers, gone }: { settings: Settings; headers: Headers; gone: AbortSignal },
): Promise<void> {
  const { method } = handler.compiled.operation;
  const signal = context?.signal === undefined ? gone : AbortSignal.any([gone, context.signal]);
  const { message: reply, header } = await passOnBody(exchange, {
    ...body,
    pauseMs: settings.bodyTimeoutMs,
    call: (messages) => settings.call.clientStream(method, messages, { headers, signal, timeoutMs: undefined }),
  });
  const answer = handler.render(reply, { header, requestId, target: exchange.target });
  Object.assign(answer.headers, exchange.leaveBody(settings.bodyTimeoutMs));
  await writeAnswer(exchange, answer);
}

/** What its service would refuse next, where the answer's own list is fixed. */
function hintOf({ handler, parts }: Call, settings: Settings, answered: ProblemList): string | undefined {
  if (handler.readThoroughly === undefined || parts === undefined) return undefined;
  const found = new ProblemList(settings.problems);
  handler.readThoroughly(parts, found);
  return hintOfLater(found.entries, answered.entries);
}

function bodyOf(call: AnsweredCall, { bodyBytes, bodyTimeoutMs, depth }: Settings): Promise<JsonView | undefined> {
  const { strict } = call.handler.compiled.binding;
  const onHint = (hint: string) => {
    call.hint = hint;
  };
  return readJson(call.exchange, { bodyBytes, bodyTimeoutMs, depth, strict, onHint });
}

/** A HEAD begins as a GET would, so that it is answered alike; what was begun is given up then. */
async function attemptStream(
  { handler, exchange, requestId, prepare, context }: AnsweredCall,
  message: Message,
  { settings, headers, gone }: { settings: Settings; headers: Headers; gone: AbortSignal },
): Promise<void> {
  const { operation, binding } = handler.compiled;
  const answered = new AbortController();
  const signal = AbortSignal.any([gone, answered.signal, ...(context?.signal ? [context.signal] : [])]);
  const { responseBody, eventId } = binding;
  if (isContent(responseBody)) setConditions(headers, exchange, { rendered: false, alternatives: [] });
  const answer = {
    requestId,
    opening: operation.route.multiplexes
      ? Promise.resolve(followStreams(message, { settings, requestId, prepare: context?.prepare ?? prepare, signal }))
      : settings.call.serverStream(operation.method, message, { headers, signal, timeoutMs: undefined }),
    signal,
    onFailure: (error: unknown) => settings.onFailure?.(error, operation, requestId),
  };
  try {
    if (isContent(responseBody))
      await writeContent(exchange, { ...answer, field: responseBody, mediaTypes: operation.route.mediaTypes });
    else await writeStream(exchange, { ...answer, render: handler.write, eventId });
  } finally {
    answered.abort();
  }
}
