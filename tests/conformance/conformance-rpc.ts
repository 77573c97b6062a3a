// What the conformance suite expects of a server's handlers: answer as the request says, and tell what was received.
import { setTimeout as delay } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type {
  ConformanceSchema,
  ConformanceService,
  Failure,
  Header,
  RequestInfo,
  StreamDefinition,
  UnaryDefinition,
} from "./conformance-service.ts";

/** The host's own limit for calls without a deadline, far above every deadline of the suite: no client is told it. */
export const hostTimeoutMs = 3_600_000;

type Implementation = Partial<ServiceImpl<ConformanceService>>;

/** Handlers of the suite's service; `unimplemented` is left to the host. */
export function conformanceRpc({ service, requestInfo }: ConformanceSchema): Implementation {
  const { unary, idempotentUnary, clientStream, serverStream, bidiStream } = service.method;

  const infoOf = (context: HandlerContext, requests: Any[]): RequestInfo => {
    const timeoutMs = context.timeoutMs();
    const query = headersOf(new URL(context.url).searchParams);
    return create(requestInfo, {
      requestHeaders: headersOf(context.requestHeader),
      requests,
      ...(timeoutMs === undefined || timeoutMs > hostTimeoutMs / 2 ? {} : { timeoutMs: BigInt(Math.ceil(timeoutMs)) }),
      ...(context.requestMethod === "GET" ? { connectGetInfo: { queryParams: query } } : {}),
    });
  };
  const failWith = ({ code, message, details }: Failure, info?: RequestInfo): ConnectError => {
    const error = new ConnectError(message ?? "", code);
    const all = info === undefined ? details : [...details, anyPack(requestInfo, info)];
    error.details = all.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
    return error;
  };
  const answerOne = async (definition: UnaryDefinition | undefined, requests: Any[], context: HandlerContext) => {
    begin(definition, context);
    const info = infoOf(context, requests);
    if (definition) await delay(definition.responseDelayMs);
    if (definition?.response.case === "error") throw failWith(definition.response.value, info);
    const data = definition?.response.case === "responseData" ? { data: definition.response.value } : {};
    return { payload: { requestInfo: info, ...data } };
  };
  /** Answers from the definition's `next` on; what was received is told with the first answer or with the error. */
  async function* answerRest(o: { definition: StreamDefinition; next: number; info: RequestInfo }) {
    const { definition, next, info } = o;
    for (const [index, data] of definition.responseData.entries()) {
      if (index < next) continue;
      await delay(definition.responseDelayMs);
      yield { payload: { data, ...(index === 0 ? { requestInfo: info } : {}) } };
    }
    if (definition.error) throw failWith(definition.error, definition.responseData.length === 0 ? info : undefined);
  }

  return {
    unary: (request, context) => answerOne(request.responseDefinition, [anyPack(unary.input, request)], context),
    idempotentUnary: (request, context) =>
      answerOne(request.responseDefinition, [anyPack(idempotentUnary.input, request)], context),
    async clientStream(requests, context) {
      const received: Any[] = [];
      let definition: UnaryDefinition | undefined;
      for await (const request of requests) {
        if (received.length === 0) definition = request.responseDefinition;
        received.push(anyPack(clientStream.input, request));
      }
      return answerOne(definition, received, context);
    },
    async *serverStream(request, context) {
      const { responseDefinition: definition } = request;
      begin(definition, context);
      if (!definition) return;
      yield* answerRest({ definition, next: 0, info: infoOf(context, [anyPack(serverStream.input, request)]) });
    },
    async *bidiStream(requests, context) {
      let received: Any[] = [];
      let definition: StreamDefinition | undefined;
      let next = 0;
      for await (const request of requests) {
        if (!definition) {
          definition = request.responseDefinition;
          begin(definition, context);
        }
        received.push(anyPack(bidiStream.input, request));
        if (!request.fullDuplex && next === 0) continue;
        const data = definition?.responseData[next];
        if (!definition || data === undefined) break;
        await delay(definition.responseDelayMs);
        yield { payload: { data, requestInfo: infoOf(context, received) } };
        next += 1;
        received = [];
      }
      if (definition) yield* answerRest({ definition, next, info: infoOf(context, received) });
    },
  };
}

function begin(definition: UnaryDefinition | StreamDefinition | undefined, context: HandlerContext): void {
  for (const { name, value } of definition?.responseHeaders ?? []) {
    for (const each of value) context.responseHeader.append(name, each);
  }
  for (const { name, value } of definition?.responseTrailers ?? []) {
    for (const each of value) context.responseTrailer.append(name, each);
  }
}

function headersOf(values: Iterable<[string, string]>): Header[] {
  return [...values].map(([name, value]) => ({ name, value: [value] }) as Header);
}
