import { type Caller, callerOf, credentialHeaders } from "@aiplatform/caller-identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { type CurrentCause, currentCause } from "../../src/index.ts";
import type { EchoService } from "./echo-service.ts";

export class EchoTooLoudError extends Error {
  override name = "EchoTooLoudError";
}

/** What the handlers saw, for tests to look at. */
export interface EchoRecord {
  readonly callers: Caller[];
  readonly contexts: HandlerContext[];
  readonly causes: (CurrentCause | undefined)[];
  readonly sent: number[];
  /** Refused calls, as the service was told to record them. */
  readonly refusals: CallRefused[];
  /** Asks the next service the same, on behalf of the same caller. */
  forward: (value: string, headers: Headers) => Promise<string>;
  release: () => void;
  readonly held: Promise<void>;
}

export function echoRecord(): EchoRecord {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    callers: [],
    contexts: [],
    causes: [],
    sent: [],
    refusals: [],
    forward: async (value) => value,
    release: resolve,
    held: promise,
  };
}

/** A handler for every kind of RPC that does what its message says. */
export function echoRpc(record: EchoRecord): ServiceImpl<typeof EchoService> {
  const see = (context: HandlerContext) => {
    record.contexts.push(context);
    record.callers.push(callerOf(context));
    record.causes.push(currentCause());
  };
  return {
    async echo({ value }, context) {
      see(context);
      context.responseHeader.set("x-echo", context.requestHeader.get("x-say") ?? "nothing");
      context.responseTrailer.set("x-echo-trailer", "end");
      context.responseHeader.set("x-echo-bin", context.requestHeader.get("x-say-bin") ?? "");
      if (value === "bug") throw new TypeError("the password is hunter2");
      if (value === "absent") throw new ConnectError("Not found", Code.NotFound);
      if (value.startsWith("ask ")) {
        return {
          value: await record.forward(value.slice("ask ".length), credentialHeaders(callerOf(context), "training")),
        };
      }
      if (value === "loud") throw new EchoTooLoudError("too loud");
      if (value === "details") {
        const detail = create(BadRequestSchema, { fieldViolations: [{ field: "value", description: "bad" }] });
        throw new ConnectError("with details", Code.OutOfRange, { "x-why": "because" }, [
          { desc: BadRequestSchema, value: detail },
        ]);
      }
      return { value };
    },
    async hold({ value }, context) {
      see(context);
      await record.held;
      return { value };
    },
    async *count({ value }, context) {
      see(context);
      context.responseHeader.set("x-count", "up");
      for (let i = 1; i <= Math.abs(value); i++) {
        yield { value: i };
      }
      if (value < 0) throw new EchoTooLoudError("counted too far");
      context.responseTrailer.set("x-count-trailer", String(value));
    },
    async *flood({ value: texts }) {
      const value = "x".repeat(65_536);
      for (let i = 1; i <= texts; i++) {
        record.sent.push(i);
        yield { value };
      }
    },
    async sum(numbers, context) {
      see(context);
      let value = 0;
      for await (const number of numbers) value += number.value;
      return { value };
    },
    async *converse(lines, context) {
      see(context);
      for await (const { value } of lines) yield { value: `${value}!` };
    },
    whisper({ value }, context) {
      see(context);
      return { value };
    },
  };
}
