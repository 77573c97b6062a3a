import {
  ControlCommandService,
  CreateTrainingControlCommandRequestSchema,
  CreateTrainingControlCommandResponseSchema,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import {
  RunMetricsService,
  WatchRunMetricsRequestSchema,
  WatchRunMetricsResponseSchema,
} from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  callerFromImplementations,
  callerFromTransport,
  type ImplementationRegistry,
  type RpcCaller,
} from "../src/index.ts";

const { createTrainingControlCommand } = ControlCommandService.method;
const { watchRunMetrics } = RunMetricsService.method;
const failure = new ConnectError("no", Code.FailedPrecondition);

/** Implementations that keep what they were given and what they answered. */
function implementations() {
  const received: Message[] = [];
  const answered = create(CreateTrainingControlCommandResponseSchema, { command: { sequence: 7 } });
  const streamed = [1, 2].map((sequence) => create(WatchRunMetricsResponseSchema, { metrics: { sequence } }));
  const register = ({ service }: ImplementationRegistry) => {
    service(ControlCommandService, {
      createTrainingControlCommand(message) {
        received.push(message);
        if (message.jobName === "fails") throw failure;
        return answered;
      },
    });
    service(RunMetricsService, {
      async *watchRunMetrics(message) {
        received.push(message);
        yield* streamed;
      },
    });
  };
  return { received, answered, streamed, register };
}

/** Makes each kind of call, and says which messages went through as they are and not as copies. */
async function sameMessages(callerOf: (register: (registry: ImplementationRegistry) => void) => RpcCaller) {
  const { received, answered, streamed, register } = implementations();
  const caller = callerOf(register);
  const options = { headers: new Headers(), signal: new AbortController().signal, timeoutMs: undefined };
  const request = create(CreateTrainingControlCommandRequestSchema, { jobName: "train" });
  const failing = create(CreateTrainingControlCommandRequestSchema, { jobName: "fails" });
  const watching = create(WatchRunMetricsRequestSchema, { maxPoints: 5 });
  const answer = await caller.unary(createTrainingControlCommand, request, options);
  const thrown = await caller.unary(createTrainingControlCommand, failing, options).catch((error: unknown) => error);
  const { messages } = await caller.serverStream(watchRunMetrics, watching, options);
  const read: Message[] = [];
  for await (const message of messages) read.push(message);
  return {
    request: received[0] === request,
    answer: answer.message === answered,
    failure: thrown === failure,
    streamRequest: received[2] === watching,
    streamed: read.length === streamed.length && read.every((message, index) => message === streamed[index]),
  };
}

describe("a call of an implementation in the same process", () => {
  it("passes each message and each failure itself, not a copy: nothing is serialized", async () => {
    expect(await sameMessages((register) => callerFromImplementations(register))).toEqual({
      ...{ request: true, answer: true, failure: true, streamRequest: true, streamed: true },
    });
  });

  it("does so behind interceptors, too", async () => {
    const passing: Interceptor = (next) => (request) => next(request);
    const callerOf = (register: (registry: ImplementationRegistry) => void) =>
      callerFromImplementations(register, { interceptors: [passing] });
    expect(Object.values(await sameMessages(callerOf))).toEqual([true, true, true, true, true]);
  });

  it("differs in that from Connect's router transport, which this test would notice", async () => {
    const callerOf = (register: (registry: ImplementationRegistry) => void) => {
      const transport = createRouterTransport(register);
      return callerFromTransport(() => transport);
    };
    expect(Object.values(await sameMessages(callerOf))).toEqual([false, false, false, false, false]);
  });
});
