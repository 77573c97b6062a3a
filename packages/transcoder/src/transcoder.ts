import type { IncomingMessage, ServerResponse } from "node:http";
import type { DescService, Message } from "@bufbuild/protobuf";
import { ContractError } from "./errors/contract-error.ts";
import { HttpError, toHttpError, unprocessable } from "./errors/http-error.ts";
import { ProblemList } from "./errors/problem-list.ts";
import { secretNames, withoutSecrets } from "./errors/redaction.ts";
import { writeError } from "./errors/writer.ts";
import { decodeJson } from "./json/encoding.ts";
import { JsonOutput } from "./json/output.ts";
import { JsonLimitError, JsonSyntaxError, scanJson } from "./json/scanner.ts";
import { JsonView } from "./json/view.ts";
import { WriterCompiler } from "./messages/message-writer.ts";
import { type DescribeOptions, describeOperations } from "./openapi/document.ts";
import { isJson, plainText, readBody, unreadable } from "./request/body.ts";
import { type RequestParts, type RequestReader, requestReader } from "./request/reader.ts";
import { placeOf } from "./request/refused-place.ts";
import { requestIdOf } from "./request/request-id.ts";
import { type AnswerRenderer, answerRenderer, strictDocumentPolicy } from "./response/renderer.ts";
import { writeStream } from "./response/stream-writer.ts";
import { writeAnswer } from "./response/writer.ts";
import { rpcName } from "./routes/annotations.ts";
import { type CompiledOperation, compileOperations, type Operation } from "./routes/operation.ts";
import { pathValues } from "./routes/path-template.ts";
import { type RouteMatch, RouteTable } from "./routes/route-table.ts";
import type { RpcCaller } from "./rpc/caller.ts";

/** What an RPC is made with. */
export interface CallContext {
  /** Metadata of the RPC. */
  readonly headers: Headers;
  /** Cancels the RPC, besides the client going away. */
  readonly signal?: AbortSignal;
  /** Called once when the request is over: answered, failed, or its client gone. */
  readonly done?: () => void;
}

/** Bounds of what one request may cost. */
export interface TranscoderLimits {
  /** Most bytes of a body, before and after decompression. Default 1 MiB; beyond it 413. */
  readonly bodyBytes?: number;
  /** Most arrays and objects around a value. Default 256; beyond it 400. */
  readonly depth?: number;
  /** Most problems listed in a 422. Default 100. */
  readonly problems?: number;
  /** Most bytes of a 422. Default 256 KiB. */
  readonly errorBytes?: number;
  /** Milliseconds in which a body must arrive. Default 30,000; beyond it 408. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds in which a unary RPC must answer. Default 35,000; beyond it 504. */
  readonly deadlineMs?: number;
}

export interface TranscoderOptions {
  /** RPCs without a route are ignored. */
  readonly services: readonly DescService[];
  readonly call: RpcCaller;
  /** Runs in `handle` before the body is read: credential, rate, permission. What it throws is answered as an error. */
  readonly prepare?: (
    operation: Operation,
    request: IncomingMessage,
    requestId: string,
    response: Pick<ServerResponse, "setHeader" | "statusCode">,
  ) => Promise<CallContext>;
  readonly limits?: TranscoderLimits;
  /** What the API is described by; its `refine` and `strict` also say how requests are read. */
  readonly describe?: DescribeOptions;
  /** Content-Security-Policy of answers that are documents. Default: styles of their own, nothing else. */
  readonly documentPolicy?: string;
  /** Told of every failure that is answered with 500 or more, and of those that end a stream. */
  readonly onFailure?: (error: unknown, operation: Operation, requestId: string) => void;
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

interface Handler {
  readonly compiled: CompiledOperation;
  /** Values of the fields in the path, from what was found in its places. */
  readonly segmentsOf: (found: readonly string[]) => readonly string[];
  readonly read: RequestReader;
  readonly write: (message: Message) => string | Buffer;
  readonly render: AnswerRenderer;
  readonly hasBody: boolean;
  /** Names of fields that no error may echo. */
  readonly secrets: ReadonlySet<string>;
  readonly statusOfReason: ReadonlyMap<string, number>;
}

type Settings = Required<TranscoderLimits & Pick<TranscoderOptions, "documentPolicy">> &
  Omit<TranscoderOptions, "limits">;

interface Exchange {
  readonly handler: Handler;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly segments: readonly string[];
  readonly requestId: string;
  /** Set once the body is known, so that errors can quote it. */
  parts?: RequestParts;
  /** What an error about the body cannot say in its own words. */
  hint?: string;
  context?: CallContext;
}

/** Serves annotated RPCs as REST operations. Throws {@link ContractError} when the annotations contradict each other. */
export function createTranscoder(options: TranscoderOptions): Transcoder {
  const settings: Settings = {
    bodyBytes: 1024 * 1024,
    depth: 256,
    problems: 100,
    errorBytes: 256 * 1024,
    bodyTimeoutMs: 30_000,
    deadlineMs: 35_000,
    documentPolicy: strictDocumentPolicy,
    ...options.limits,
    ...options,
  };
  const compiled = compileOperations(options.services, options.describe);
  const routes = routeTable(compiled, settings);
  const match = (request: Pick<IncomingMessage, "method" | "url">): Match | undefined => {
    const route = routes.find(pathOf(request.url ?? "/"));
    return route && new Match(route, methodOf(request), settings);
  };
  let document: object | undefined;
  return {
    operations: compiled.map(({ operation }) => operation),
    openApi() {
      document ??= describeOperations(compiled, options.describe ?? { title: "API", version: "0.0.0" });
      return document;
    },
    match,
    handle(request, response) {
      const found = match(request);
      if (found === undefined) return false;
      if (found.operation === undefined) found.refuseMethod(request, response);
      else void found.answer(request, response);
      return true;
    },
  };
}

class Match implements OperationMatch {
  readonly #route: RouteMatch<Handler>;
  readonly #handler: Handler | undefined;
  readonly #settings: Settings;

  constructor(route: RouteMatch<Handler>, method: string, settings: Settings) {
    this.#route = route;
    this.#handler = route.methods.get(method);
    this.#settings = settings;
  }

  get operation(): Operation | undefined {
    return this.#handler?.compiled.operation;
  }

  refuseMethod(request: IncomingMessage, response: ServerResponse): void {
    refuseMethod(request, response, this.#route, requestIdOf(request.headers["x-request-id"]));
  }

  async answer(request: IncomingMessage, response: ServerResponse, context?: CallContext): Promise<void> {
    const exchange = this.#exchange(request, response);
    if (exchange === undefined) return this.refuseMethod(request, response);
    if (context !== undefined) exchange.context = context;
    await answer(exchange, this.#settings);
  }

  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const exchange = this.#exchange(request, response);
    if (exchange === undefined) this.refuseMethod(request, response);
    else fail(exchange, this.#settings, error);
  }

  #exchange(request: IncomingMessage, response: ServerResponse): Exchange | undefined {
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const handler = this.#handler;
    return handler && { handler, request, response, segments: handler.segmentsOf(this.#route.found), requestId };
  }
}

function routeTable(compiled: readonly CompiledOperation[], { documentPolicy }: Settings): RouteTable<Handler> {
  const routes = new RouteTable<Handler>();
  const writers = new WriterCompiler();
  for (const one of compiled) {
    const { operation, template, binding } = one;
    const { method, httpMethod, path } = operation;
    const writeWhole = writers.message(method.output);
    const write = binding.responseBody === undefined ? writeWhole : writers.field(binding.responseBody);
    const writeJson: Handler["write"] = (message) => {
      const output = new JsonOutput();
      write(message, output);
      return output.finish();
    };
    const handler: Handler = {
      compiled: one,
      segmentsOf: pathValues(template),
      read: requestReader(method.input, binding),
      write: writeJson,
      render: answerRenderer(operation, binding, { write: writeJson, documentPolicy }),
      hasBody: binding.body !== undefined || binding.members.length > 0,
      secrets: operation.route.echoesSecrets ? new Set() : secretNames(method.input),
      statusOfReason: statusesOfReasons(operation),
    };
    if (!routes.add(httpMethod, template, handler)) {
      throw new ContractError("equal_routes", rpcName(method), `another RPC is reached at ${httpMethod} ${path}, too`);
    }
  }
  return routes;
}

/** Statuses that the contract gives to reasons of failures. */
function statusesOfReasons({ method, route }: Operation): ReadonlyMap<string, number> {
  const answers = route.answers.filter(({ reason }) => reason !== "");
  const success = answers.find(({ status }) => status < 400 || status > 599);
  if (success) {
    throw new ContractError(
      "bad_status",
      rpcName(method),
      `answers the failure ${success.reason} with ${success.status}`,
    );
  }
  return new Map(answers.map(({ reason, status }) => [reason, status]));
}

function refuseMethod(
  request: IncomingMessage,
  response: ServerResponse,
  { methods }: RouteMatch<Handler>,
  requestId: string,
): void {
  const names = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
  const allow = [...names, "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") {
    response.writeHead(204, { allow, "x-request-id": requestId }).end();
    return;
  }
  writeError(request, response, new HttpError(405, "Method Not Allowed", "method_not_allowed", { allow }), {
    requestId,
  });
}

async function answer(exchange: Exchange, settings: Settings): Promise<void> {
  const { response } = exchange;
  const gone = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) gone.abort();
  };
  response.once("close", onClose);
  if (response.closed) onClose();
  try {
    await attempt(exchange, settings, gone.signal);
  } catch (error) {
    fail(exchange, settings, error);
  } finally {
    exchange.context?.done?.();
  }
}

function fail(exchange: Exchange, settings: Settings, error: unknown): void {
  const { handler, request, response, requestId, parts, hint } = exchange;
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
  const headers = hint === undefined || failure.status !== 422 ? {} : { [hintHeader]: hint };
  writeError(request, response, failure, { requestId, maxBytes: settings.errorBytes, headers });
}

async function attempt(exchange: Exchange, settings: Settings, gone: AbortSignal): Promise<void> {
  const { handler, request, response, requestId, segments } = exchange;
  const { operation } = handler.compiled;
  exchange.context ??= (await settings.prepare?.(operation, request, requestId, response)) ?? {
    headers: new Headers(),
  };
  const { context } = exchange;
  const body = handler.hasBody ? await readJson(exchange, settings) : undefined;
  exchange.parts = { segments, query: queryOf(request.url ?? ""), headers: request.headers, body };
  const problems = new ProblemList(settings.problems);
  const message = handler.read(exchange.parts, problems);
  if (problems.refuses) throw unprocessable(problems.entries);
  const { headers } = context;
  headers.set("x-request-id", requestId);
  if (operation.streams) return attemptStream(exchange, message, { settings, headers, gone });
  const signal = context.signal === undefined ? gone : AbortSignal.any([gone, context.signal]);
  const timeoutMs = settings.deadlineMs;
  const { message: reply, header } = await settings.call.unary(operation.method, message, {
    headers,
    signal,
    timeoutMs,
  });
  await writeAnswer(request, response, handler.render(reply, { header, requestId, url: request.url ?? "" }));
}

/** A HEAD begins as a GET would, so that it is answered alike; what was begun is given up then. */
async function attemptStream(
  { handler, request, response, requestId, context }: Exchange,
  message: Message,
  { settings, headers, gone }: { settings: Settings; headers: Headers; gone: AbortSignal },
): Promise<void> {
  const { operation, binding } = handler.compiled;
  const answered = new AbortController();
  const signal = AbortSignal.any([gone, answered.signal, ...(context?.signal ? [context.signal] : [])]);
  try {
    await writeStream(request, response, {
      requestId,
      opening: settings.call.serverStream(operation.method, message, { headers, signal, timeoutMs: undefined }),
      render: handler.write,
      eventId: binding.eventId,
      signal,
      onFailure: (error) => settings.onFailure?.(error, operation, requestId),
    });
  } finally {
    answered.abort();
  }
}

/** Says what is wrong with a body where the error's own words are fixed. */
const hintHeader = "x-error-hint";
const notUtf8 = "The body is not UTF-8: send JSON in UTF-8";

/**
 * The body as scanned JSON. A body of another type is taken as a text, which no operation accepts as an object; strict ones say
 * what is wrong with it.
 */
async function readJson(exchange: Exchange, settings: Settings): Promise<JsonView | undefined> {
  const { request, handler } = exchange;
  const { strict } = handler.compiled.binding;
  const bytes = await readBody(request, settings);
  if (bytes === undefined) return undefined;
  const contentType = request.headers["content-type"];
  if (!isJson(contentType)) {
    const fault = contentType === undefined ? "is missing" : "is not JSON";
    exchange.hint = `Content-Type ${fault}: send the body as application/json`;
    if (strict) throw new HttpError(415, exchange.hint, "unsupported_media_type");
    return JsonView.of(JSON.stringify(plainText(bytes)));
  }
  const text = decodeJson(bytes);
  if (text === undefined) {
    throw strict ? new HttpError(400, notUtf8, "body_unreadable") : unreadable({ [hintHeader]: notUtf8 });
  }
  try {
    return JsonView.of(text, scanJson(text, settings.depth));
  } catch (error) {
    if (error instanceof JsonLimitError) throw unreadable();
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { position, fault } = error;
    const ctx = JSON.stringify({ error: fault });
    const entry = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: "{}", ctx };
    throw unprocessable([entry]);
  }
}

/** HEAD is answered as GET is. */
function methodOf({ method = "GET" }: Pick<IncomingMessage, "method">): string {
  return method === "HEAD" ? "GET" : method;
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
