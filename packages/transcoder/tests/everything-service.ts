import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ViolationsSchema } from "@aiplatform/contract/buf/validate/validate";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import {
  create,
  type DescMethodUnary,
  type DescService,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import {
  createBodyRenderer,
  type ImplementationRegistry,
  isNotModified,
  RangeNotSatisfiableError,
  type SelectedRange,
  selectRange,
  type WantedRange,
  wantedAlternative,
} from "../src/index.ts";

type Fields = Record<string, unknown>;

/** What the service saw. */
export interface Seen {
  readonly headers: Headers[];
  readonly timeouts: (number | undefined)[];
  streamsEnded: number;
  /** Messages of streams that were asked for. */
  ticks: number;
  /** RPCs that ended because their caller no longer waited for them. */
  cancelled: number;
  /** RPCs that have begun to wait. */
  waiting: number;
  /** Scrolls that were written. */
  scrolls: number;
}

const codes: Readonly<Record<string, Code>> = {
  unauthenticated: Code.Unauthenticated,
  denied: Code.PermissionDenied,
  missing: Code.NotFound,
  exists: Code.AlreadyExists,
  aborted: Code.Aborted,
  precondition: Code.FailedPrecondition,
  exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  internal: Code.Internal,
  unknown: Code.Unknown,
  unimplemented: Code.Unimplemented,
  deadline: Code.DeadlineExceeded,
};

const base64 = (text: string) => Buffer.from(text).toString("base64");

const pages: Readonly<Record<string, JsonObject>> = {
  plain: { contentType: "text/html; charset=utf-8", data: base64('<p>ü & "</p>') },
  large: { contentType: "text/html; charset=utf-8", data: base64("<p>x</p>".repeat(500)) },
  refused: { contentType: "text/html", data: base64("<p>No</p>"), status: 410 },
  unnamed: { data: base64("<script>alert(1)</script>") },
  remembered: { contentType: "text/html", data: base64("<p>x</p>"), setCookie: "a=1", furtherCookies: ["b=2", "c=3"] },
  impossible: { contentType: "text/html", data: base64("<p>?</p>"), status: 101 },
  smuggled: { contentType: "text/html\r\nset-cookie: a=b", data: base64("<p>?</p>") },
};

const names = ["ada", "alan", "bob", "grace", "zoë"];

/** A working implementation. Messages are dynamic: their fields go by local name. */
export function everythingImplementation(service: DescService, seen: Seen): (registry: ImplementationRegistry) => void {
  const methodOf = (name: string) => {
    const method = service.methods.find((candidate) => candidate.name === name);
    if (method === undefined) throw new Error(`no RPC ${name}`);
    return method;
  };
  const outputOf = (name: string) => methodOf(name).output;
  const rendered = createBodyRenderer(methodOf("GetScroll") as DescMethodUnary);
  const reply = (name: string, fields: JsonValue): Message => fromJson(outputOf(name), fields);
  return (registry) => {
    // The compiler does not know the methods of a service that is compiled while the test runs.
    const implementation: Record<string, unknown> = {
      echoEverything: (request: Message, context: HandlerContext) => {
        seen.headers.push(context.requestHeader);
        seen.timeouts.push(context.timeoutMs());
        return Object.assign(create(outputOf("EchoEverything")), {
          everything: (request as Message & Fields)["everything"],
        });
      },
      fail: async (request: Message, context: HandlerContext) => {
        const { kind, field } = request as Message & { kind: string; field: string };
        if (kind === "slow") await patiently(context.signal, seen);
        if (kind === "violating") throw violating(field);
        if (kind === "invalid") throw badRequest(field);
        if (kind === "bug") throw new TypeError("cannot read the password of undefined");
        const details = [{ desc: ErrorInfoSchema, value: { reason: field.toUpperCase(), domain: "test" } }];
        const retry = { desc: RetryInfoSchema, value: { retryDelay: { seconds: 7n, nanos: 1 } } };
        throw new ConnectError(`it is ${kind}`, codes[kind], undefined, field === "" ? [] : [...details, retry]);
      },
      getDocument: (request: Message, context: HandlerContext) => {
        const { name } = request as Message & { name: string };
        context.responseHeader.set("etag", '"v1"');
        context.responseHeader.set("link", '</documents/next>; rel="next"');
        context.responseHeader.set("x-internal", "stays inside");
        const text =
          name === "large" ? JSON.stringify("x".repeat(5000)) : `{"name": ${JSON.stringify(name)}, "n": 1.0}`;
        return reply("GetDocument", { document: { utf8: Buffer.from(text).toString("base64") } });
      },
      getNewest: () => reply("GetNewest", { document: { utf8: Buffer.from('"newest"').toString("base64") } }),
      getPage: (request: Message, context: HandlerContext) => {
        const { show } = request as Message & { show: string };
        context.responseHeader.set("cache-control", "public");
        const fields = pages[show];
        return reply("GetPage", fields === undefined ? {} : { page: fields });
      },
      getScroll: (request: Message, context: HandlerContext) => {
        const { title } = request as Message & { title: string };
        seen.headers.push(context.requestHeader);
        if (isNotModified(context, '"s1"')) return reply("GetScroll", {});
        seen.scrolls++;
        const text = JSON.stringify({
          lines: Array.from({ length: title === "short" ? 1 : 900 }, (_, line) => `line ${line}`),
        });
        const whole = reply("GetScroll", { scroll: { title, text: { utf8: base64(text) }, number: 7 } });
        return title === "left" ? whole : rendered(whole, context.requestHeader);
      },
      async *getFile(request: Message, context: HandlerContext) {
        seen.headers.push(context.requestHeader);
        context.signal.addEventListener("abort", () => seen.streamsEnded++);
        yield* filePieces(request as Message & FileRequest, context, seen);
      },
      async *getPicture(request: Message) {
        const { name } = request as Message & FileRequest;
        yield { content: { head: { contentType: `${name}; charset=utf-8`, sizeBytes: 1n }, data: Buffer.of(0) } };
      },
      putFile: (requests: AsyncIterable<Message>, context: HandlerContext) => {
        context.signal.addEventListener("abort", () => seen.streamsEnded++);
        return receivedFile(requests as AsyncIterable<PutFileMessage>, (fields) => reply("PutFile", fields), seen);
      },
      listNames: (request: Message, context: HandlerContext) => {
        const { limit, cursor, starts } = request as Message & { limit?: number; cursor: string; starts: string[] };
        if (cursor.startsWith("?")) throw badRequest("cursor");
        if (cursor === "a") context.responseHeader.set("link", '</names/help>; rel="help"');
        const found = names.filter((name) => starts.length === 0 || starts.includes(name.charAt(0)));
        const begin = found.findIndex((name) => name > cursor);
        const page = begin < 0 ? [] : found.slice(begin, begin + (limit ?? 2));
        const last = page.at(-1) ?? "";
        const nextCursor = last === (found.at(-1) ?? "") ? "" : last;
        const wanted = wantedAlternative(context);
        if (wanted === undefined) return reply("ListNames", { names: page, nextCursor });
        // What the contract does not name is a mistake of the service.
        const contentType = wanted === "text/csv" ? "text/html" : wanted;
        return reply("ListNames", { rendered: { data: base64(page.join("\n")), contentType }, nextCursor });
      },
      createName: (request: Message, context: HandlerContext) => {
        const { name, idempotencyKey } = request as Message & { name: string; idempotencyKey: string };
        if (idempotencyKey === "used") throw badRequest("idempotency_key");
        if (idempotencyKey === "again") context.responseHeader.set("idempotency-replayed", "true");
        return reply("CreateName", { name });
      },
      replaceNames: (request: Message) => {
        const { names: given } = request as Message & { names: string[] };
        return reply("ReplaceNames", { names: given });
      },
      changeName: (request: Message) => {
        // Both messages have the same fields.
        const { $typeName: _, ...fields } = request as Message & Fields;
        return Object.assign(create(outputOf("ChangeName")), fields);
      },
      deleteName: (request: Message) => reply("DeleteName", { name: (request as Message & { name: string }).name }),
      async *watchCount(request: Message, context: HandlerContext) {
        const { upto, failAfter, lastEventId } = request as Message & {
          upto: number;
          failAfter?: number;
          lastEventId?: string;
        };
        try {
          for (let number = Number(lastEventId ?? 0) + 1; number <= upto; number++) {
            if (number > (failAfter ?? upto)) throw new ConnectError("it broke", Code.Unavailable);
            seen.ticks++;
            yield reply("WatchCount", { tick: { number }, note: { text: '{"a":\n1}' } });
          }
          if (upto === 0) await wait(60_000, undefined, { signal: context.signal });
        } finally {
          seen.streamsEnded++;
        }
      },
    };
    registry.service(service, implementation as ServiceImpl<DescService>);
  };
}

interface FileRequest extends WantedRange {
  readonly name: string;
}

interface PutFileMessage extends Message {
  readonly name: string;
  readonly length?: bigint;
  readonly note: string;
  readonly data: Uint8Array;
}

async function receivedFile(
  requests: AsyncIterable<PutFileMessage>,
  reply: (fields: JsonObject) => Message,
  seen: Seen,
): Promise<Message> {
  const hash = createHash("sha256");
  let first: PutFileMessage | undefined;
  let [received, messages] = [0, 0];
  for await (const message of requests) {
    first ??= message;
    messages++;
    received += message.data.length;
    seen.ticks += message.data.length;
    hash.update(message.data);
    if (first.name === "taken") throw new ConnectError("it is taken", Code.AlreadyExists);
    if (first.name === "known") break;
    if (first.name === "slow" && received > 0) await new Promise(() => {});
  }
  const { name = "", note = "", length } = first ?? {};
  const declared = length === undefined ? {} : { length: String(length) };
  return reply({ name, note, ...declared, received: String(received), messages, sha256: hash.digest("hex") });
}

/** What a file's text is. */
export const fileText = "one two three";

async function* filePieces({ name, ...wanted }: FileRequest, context: HandlerContext, seen: Seen) {
  if (name === "missing") throw new ConnectError("there is none", Code.NotFound);
  if (isNotModified(context, '"f1"')) return;
  const text = name === "empty" ? "" : fileText;
  const range = partOf(wanted, text.length);
  const { offset, length } = range ?? { offset: 0, length: text.length };
  const head = {
    fileName: `a "${name}".txt`,
    sizeBytes: BigInt(name === "endless" ? 1e12 : text.length + (name === "short" ? 1 : 0)),
    sha256: createHash("sha256").update(text).digest(),
    ...(range && { range: { offset: BigInt(offset), lengthBytes: BigInt(length) } }),
  };
  if (name !== "headless") yield { content: { head } };
  for (const byte of Buffer.from(text).subarray(offset, offset + length)) yield { content: { data: Buffer.of(byte) } };
  if (name === "broken") throw new ConnectError("it broke", Code.Unavailable);
  if (name === "long") yield { content: { data: Buffer.of(0) } };
  for (; name === "endless"; seen.ticks++) yield { content: { data: Buffer.alloc(65_536) } };
}

function partOf(wanted: WantedRange, sizeBytes: number): SelectedRange | undefined {
  try {
    return selectRange(wanted, { sizeBytes, etag: '"f1"' });
  } catch (error) {
    if (!(error instanceof RangeNotSatisfiableError)) throw error;
    const metadata = { size_bytes: String(error.sizeBytes) };
    const value = { reason: "RANGE_NOT_SATISFIABLE", domain: "test", metadata };
    throw new ConnectError(error.message, Code.FailedPrecondition, undefined, [{ desc: ErrorInfoSchema, value }]);
  }
}

async function patiently(signal: AbortSignal, seen: Seen): Promise<void> {
  seen.waiting++;
  await wait(60_000, undefined, { signal }).catch((error: unknown) => {
    seen.cancelled++;
    throw error;
  });
}

/** What a service answers whose interceptor checks the rules. */
function violating(fieldName: string): ConnectError {
  const field = { elements: [{ fieldName }, { fieldName: "items", subscript: { case: "index" as const, value: 1n } }] };
  const violations = [
    { field, ruleId: "string.email", message: "must be an address" },
    { field: { elements: [{ fieldName: "delay" }] }, ruleId: "required", message: "value is required" },
  ];
  return new ConnectError("refused", Code.InvalidArgument, undefined, [
    { desc: ViolationsSchema, value: { violations } },
  ]);
}

function badRequest(field: string): ConnectError {
  const value = { fieldViolations: [{ field, reason: "NAME_TAKEN", description: "The name is taken" }] };
  return new ConnectError("refused", Code.InvalidArgument, undefined, [{ desc: BadRequestSchema, value }]);
}
