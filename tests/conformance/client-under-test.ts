// The mesh's transport for the conformance runner: reads calls on standard input, makes them, and says on standard output what became
// of each. With `http` as its second argument it calls over HTTP/1.1 alone.
import { setTimeout as delay } from "node:timers/promises";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type CallOptions, type Client, ConnectError, createClient } from "@connectrpc/connect";
import { readMessages, writeMessage } from "./compat-messages.ts";
import {
  type Answer,
  type ClientCompatRequest,
  type ConformanceService,
  type Failure,
  type Header,
  readConformanceSchema,
  type StreamAsk,
  type UnaryAsk,
} from "./conformance-service.ts";
import { createHttpTransport } from "./http-transport.ts";

const [, , schemaPath = "", way = "mesh"] = process.argv;
const schema = readConformanceSchema(schemaPath);
const { service } = schema;
const fullDuplex = 5;

/** A call as the runner wants it, and what has been seen of it. */
class Call {
  readonly #asked: ClientCompatRequest;
  readonly #leaving = new AbortController();
  readonly #payloads: NonNullable<Answer["payload"]>[] = [];
  #headers: Header[] = [];
  #trailers: Header[] = [];
  #unsent: number;
  /** Answers that were read; a full-duplex call sends its next message after each. */
  #answered = Promise.withResolvers<void>();

  constructor(asked: ClientCompatRequest) {
    this.#asked = asked;
    this.#unsent = asked.requestMessages.length;
  }

  async make(client: Client<ConformanceService>): Promise<void> {
    const { requestHeaders, timeoutMs } = this.#asked;
    const headers = new Headers();
    for (const { name, value } of requestHeaders) for (const each of value) headers.append(name, each);
    const options: CallOptions = {
      headers,
      signal: this.#leaving.signal,
      onHeader: (received) => {
        this.#headers = headersOf(received);
      },
      onTrailer: (received) => {
        this.#trailers = headersOf(received);
      },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    let error: Failure | undefined;
    try {
      await this.#run(client, options);
    } catch (failure) {
      error = this.#failed(ConnectError.from(failure));
    }
    const { testName } = this.#asked;
    const value = {
      responseHeaders: this.#headers,
      responseTrailers: this.#trailers,
      payloads: this.#payloads,
      numUnsentRequests: this.#unsent,
      ...(error ? { error } : {}),
    };
    const init = { testName, result: { case: "response", value } } as MessageInitShape<typeof schema.clientResponse>;
    writeMessage(schema.clientResponse, create(schema.clientResponse, init));
  }

  async #run(client: Client<ConformanceService>, options: CallOptions): Promise<void> {
    switch (this.#asked.method) {
      case "IdempotentUnary":
        return this.#keep(await client.idempotentUnary(await this.#only(), options));
      case "Unimplemented":
        await client.unimplemented({}, options);
        return;
      case "ClientStream":
        return this.#keep(await client.clientStream(this.#messages<UnaryAsk>(), options));
      case "ServerStream":
        return this.#keepAll(client.serverStream(await this.#only(), options));
      case "BidiStream":
        return this.#keepAll(client.bidiStream(this.#messages<StreamAsk>(), options));
      default:
        return this.#keep(await client.unary(await this.#only(), options));
    }
  }

  /** The message of a call that has one. */
  async #only<T extends UnaryAsk & StreamAsk>(): Promise<T> {
    const { requestDelayMs } = this.#asked;
    if (requestDelayMs > 0) await delay(requestDelayMs);
    const [message] = this.#unpacked<T>();
    if (!message) throw new Error("the call has no message");
    this.#unsent = 0;
    this.#closedSend();
    return message;
  }

  async *#messages<T>(): AsyncGenerator<T> {
    const { requestDelayMs, streamType, cancel } = this.#asked;
    for (const [index, message] of this.#unpacked<T>().entries()) {
      if (streamType === fullDuplex && index > 0) await this.#answered.promise;
      this.#answered = Promise.withResolvers();
      if (requestDelayMs > 0) await delay(requestDelayMs);
      this.#unsent -= 1;
      yield message;
    }
    if (streamType === fullDuplex && this.#asked.requestMessages.length > 0) await this.#answered.promise;
    if (cancel?.cancelTiming.case === "beforeCloseSend") this.#leaving.abort();
    else this.#closedSend();
  }

  /** Leaves after a time where the runner wants that. */
  #closedSend(): void {
    const timing = this.#asked.cancel?.cancelTiming;
    if (timing?.case !== "afterCloseSendMs") return;
    setTimeout(() => this.#leaving.abort(), timing.value);
  }

  #unpacked<T>(): T[] {
    const messages = [service.method.unary, ...service.methods].map(({ input }) => input);
    return this.#asked.requestMessages.map((any) => {
      const desc = messages.find(({ typeName }) => any.typeUrl.endsWith(`/${typeName}`));
      return (desc && anyUnpack(any, desc)) as T;
    });
  }

  #keep({ payload = create(schema.payload) }: Answer): void {
    this.#payloads.push(payload);
  }

  async #keepAll(answers: AsyncIterable<Answer>): Promise<void> {
    const timing = this.#asked.cancel?.cancelTiming;
    const last = timing?.case === "afterNumResponses" ? timing.value : Number.POSITIVE_INFINITY;
    try {
      for await (const answer of answers) {
        this.#keep(answer);
        if (this.#payloads.length === last) this.#leaving.abort();
        this.#answered.resolve();
      }
    } finally {
      this.#answered.resolve();
    }
  }

  #failed(error: ConnectError): Failure {
    // An error has both in one; the suite takes more than it looks for.
    if (this.#headers.length === 0) this.#headers = headersOf(error.metadata);
    if (this.#trailers.length === 0) this.#trailers = headersOf(error.metadata);
    const details = error.details.map((detail) =>
      "desc" in detail ? detail : { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
    );
    return { code: error.code, message: error.rawMessage, details } as unknown as Failure;
  }
}

function headersOf(headers: Headers): Header[] {
  return [...headers].map(([name, value]) => ({ name, value: value.split(", ") }) as Header);
}

const transports = new Map<string, Pick<MeshTransport, "unary" | "stream" | "close">>();
function clientAt({ host, port }: ClientCompatRequest): Client<ConformanceService> {
  const address = `${host}:${port}`;
  const open = () =>
    way === "http"
      ? createHttpTransport({ host, port })
      : createMeshTransport({ addresses: address, defaultTimeoutMs: 0 });
  const transport = transports.get(address) ?? open();
  transports.set(address, transport);
  return createClient(service, transport);
}

const calls: Promise<void>[] = [];
for await (const asked of readMessages(schema.clientRequest)) calls.push(new Call(asked).make(clientAt(asked)));
await Promise.all(calls);
for (const transport of transports.values()) transport.close();
