import { setTimeout as wait } from "node:timers/promises";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { create, type DescService, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createRouterTransport,
  type HandlerContext,
  type ServiceImpl,
  type Transport,
} from "@connectrpc/connect";

type Fields = Record<string, unknown>;

/** What the service saw. */
export interface Seen {
  readonly headers: Headers[];
  readonly timeouts: (number | undefined)[];
  streamsEnded: number;
}

const codes: Readonly<Record<string, Code>> = {
  unauthenticated: Code.Unauthenticated,
  denied: Code.PermissionDenied,
  missing: Code.NotFound,
  exists: Code.AlreadyExists,
  aborted: Code.Aborted,
  exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  internal: Code.Internal,
  unknown: Code.Unknown,
  unimplemented: Code.Unimplemented,
  deadline: Code.DeadlineExceeded,
};

/** A working implementation behind a real transport. Messages are dynamic: their fields go by local name. */
export function everythingTransport(service: DescService, seen: Seen): Transport {
  const outputOf = (name: string) => {
    const method = service.methods.find((candidate) => candidate.name === name);
    if (method === undefined) throw new Error(`no RPC ${name}`);
    return method.output;
  };
  const reply = (name: string, fields: JsonValue): Message => fromJson(outputOf(name), fields);
  return createRouterTransport(({ service: add }) => {
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
        if (kind === "slow") await wait(60_000, undefined, { signal: context.signal });
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
      async *watchCount(request: Message, context: HandlerContext) {
        const { upto, failAfter, lastEventId } = request as Message & {
          upto: number;
          failAfter?: number;
          lastEventId?: string;
        };
        try {
          for (let number = Number(lastEventId ?? 0) + 1; number <= upto; number++) {
            if (number > (failAfter ?? upto)) throw new ConnectError("it broke", Code.Unavailable);
            yield reply("WatchCount", { tick: { number }, note: { text: '{"a":\n1}' } });
          }
          if (upto === 0) await wait(60_000, undefined, { signal: context.signal });
        } finally {
          seen.streamsEnded++;
        }
      },
    };
    add(service, implementation as ServiceImpl<DescService>);
  });
}

function badRequest(field: string): ConnectError {
  const value = { fieldViolations: [{ field, reason: "NAME_TAKEN", description: "The name is taken" }] };
  return new ConnectError("refused", Code.InvalidArgument, undefined, [{ desc: BadRequestSchema, value }]);
}
