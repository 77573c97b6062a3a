// The service of the conformance suite, built from the proto files of the suite's own module, so that it is always the
// one that the pinned runner calls. Only what the handlers touch is typed here.
import { readFileSync } from "node:fs";
import { AccessSchema, access } from "@aiplatform/contract/aiplatform/access/v1/access";
import {
  create,
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  type Message,
  setExtension,
} from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import {
  type Any,
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import type { Code } from "@connectrpc/connect";

/** A header or trailer; it may have several values. */
export type Header = Message & { name: string; value: string[] };
export type Failure = Message & { code: Code; message?: string; details: Any[] };
export type UnaryDefinition = Message & {
  responseHeaders: Header[];
  responseTrailers: Header[];
  responseDelayMs: number;
  response: { case: "responseData"; value: Uint8Array } | { case: "error"; value: Failure } | { case: undefined };
};
export type StreamDefinition = Message & {
  responseHeaders: Header[];
  responseTrailers: Header[];
  responseDelayMs: number;
  responseData: Uint8Array[];
  error?: Failure;
};
export type RequestInfo = Message & {
  requestHeaders: Header[];
  timeoutMs?: bigint;
  requests: Any[];
  connectGetInfo?: Message & { queryParams: Header[] };
};
export type UnaryAsk = Message & { responseDefinition?: UnaryDefinition };
export type StreamAsk = Message & { responseDefinition?: StreamDefinition; fullDuplex: boolean };
export type Answer = Message & { payload?: Message & { data: Uint8Array; requestInfo?: RequestInfo } };

export type ConformanceService = GenService<{
  unary: { methodKind: "unary"; input: GenMessage<UnaryAsk>; output: GenMessage<Answer> };
  idempotentUnary: { methodKind: "unary"; input: GenMessage<UnaryAsk>; output: GenMessage<Answer> };
  unimplemented: { methodKind: "unary"; input: GenMessage<Message>; output: GenMessage<Message> };
  serverStream: { methodKind: "server_streaming"; input: GenMessage<StreamAsk>; output: GenMessage<Answer> };
  clientStream: { methodKind: "client_streaming"; input: GenMessage<UnaryAsk>; output: GenMessage<Answer> };
  bidiStream: { methodKind: "bidi_streaming"; input: GenMessage<StreamAsk>; output: GenMessage<Answer> };
}>;

/** What the runner asks a server to be. */
export type ServerCompatRequest = Message & {
  protocol: number;
  useTls: boolean;
  serverCreds?: Message & { cert: Uint8Array; key: Uint8Array };
  clientTlsCert: Uint8Array;
  messageReceiveLimit: number;
};
/** What the runner asks a client to do. */
export type ClientCompatRequest = Message & {
  testName: string;
  host: string;
  port: number;
  method?: string;
  streamType: number;
  requestHeaders: Header[];
  requestMessages: Any[];
  timeoutMs?: number;
  requestDelayMs: number;
  cancel?: Message & {
    cancelTiming:
      | { case: "beforeCloseSend"; value: Message }
      | { case: "afterCloseSendMs" | "afterNumResponses"; value: number }
      | { case: undefined };
  };
};
/** What became of it. */
export type ClientCompatResponse = Message & {
  testName: string;
  result:
    | { case: "response"; value: ClientResponseResult }
    | { case: "error"; value: Message & { message: string } }
    | { case: undefined };
};
export type ClientResponseResult = Message & {
  responseHeaders: Header[];
  responseTrailers: Header[];
  payloads: NonNullable<Answer["payload"]>[];
  error?: Failure;
  numUnsentRequests: number;
};
/** Where the server is. */
export type ServerCompatResponse = Message & { host: string; port: number; pemCert: Uint8Array };

export const protocolGrpc = 2;

export interface ConformanceSchema {
  readonly service: ConformanceService;
  readonly serverRequest: GenMessage<ServerCompatRequest>;
  readonly serverResponse: GenMessage<ServerCompatResponse>;
  readonly clientRequest: GenMessage<ClientCompatRequest>;
  readonly clientResponse: GenMessage<ClientCompatResponse>;
  readonly payload: GenMessage<NonNullable<Answer["payload"]>>;
  readonly requestInfo: GenMessage<RequestInfo>;
}

/** Reads the suite's proto files, compiled to a descriptor set, and declares that any client may call. */
export function readConformanceSchema(path: string): ConformanceSchema {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(path));
  for (const method of set.file.flatMap(({ service }) => service.flatMap((each) => each.method))) {
    method.options ??= create(MethodOptionsSchema);
    const safe = method.options.idempotencyLevel === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    const unrecorded = safe ? "" : "nothing is kept of it";
    setExtension(method.options, access, create(AccessSchema, { rule: { case: "public", value: true }, unrecorded }));
  }
  const registry = createFileRegistry(set);
  const service = registry.getService("connectrpc.conformance.v1.ConformanceService");
  if (!service) throw new Error(`${path} does not have the conformance service`);
  return {
    service: service as unknown as ConformanceService,
    serverRequest: messageNamed<ServerCompatRequest>(registry, "ServerCompatRequest"),
    serverResponse: messageNamed<ServerCompatResponse>(registry, "ServerCompatResponse"),
    clientRequest: messageNamed<ClientCompatRequest>(registry, "ClientCompatRequest"),
    clientResponse: messageNamed<ClientCompatResponse>(registry, "ClientCompatResponse"),
    payload: messageNamed<NonNullable<Answer["payload"]>>(registry, "ConformancePayload"),
    requestInfo: messageNamed<RequestInfo>(registry, "ConformancePayload.RequestInfo"),
  };
}

function messageNamed<T extends Message>(registry: FileRegistry, name: string): GenMessage<T> {
  const found: DescMessage | undefined = registry.getMessage(`connectrpc.conformance.v1.${name}`);
  if (!found) throw new Error(`the conformance suite has no message ${name}`);
  return found as GenMessage<T>;
}
