/**
 * What the in-process callers cost beside each other: CPU microseconds of the process per RPC, over Connect's router transport and
 * directly, in turns.
 *
 *     node packages/transcoder/bench/caller.bench.ts [--rounds 5]
 */
import {
  ControlCommandService,
  CreateTrainingControlCommandRequestSchema,
  TrainingControlAction,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import {
  callerFromImplementations,
  callerFromTransport,
  type ImplementationRegistry,
  type RpcCaller,
} from "../src/index.ts";

const [wholeRound, callersAtOnce] = [3_000, 16];
const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const request = create(CreateTrainingControlCommandRequestSchema, {
  action: TrainingControlAction.WARM_RESTART,
  runtimeOverrides: { text: '{"learning_rate":0.001,"batch_size":64}' },
  idempotencyKey: id,
});
const register = ({ service }: ImplementationRegistry) =>
  service(ControlCommandService, {
    createTrainingControlCommand: ({ action, idempotencyKey, runtimeOverrides }) => ({
      command: {
        id,
        sequence: 7,
        action,
        status: TrainingControlCommandStatus.PENDING,
        idempotencyKey,
        ...(runtimeOverrides && { runtimeOverrides }),
      },
    }),
  });
const transport = createRouterTransport(register);
const method = ControlCommandService.method.createTrainingControlCommand;
const options = { headers: new Headers(), signal: new AbortController().signal, timeoutMs: 35_000 };
const callTo = (caller: RpcCaller) => () => caller.unary(method, request, options);

export const inProcessCallers: Bench = {
  title: "An RPC within the process",
  measure: ({ rounds, share }) =>
    cpuOfCalls(
      { rounds, calls: Math.ceil(wholeRound * share), callers: callersAtOnce },
      {
        "router transport": callTo(callerFromTransport(() => transport)),
        direct: callTo(callerFromImplementations(register)),
      },
    ),
};

if (import.meta.main) await runBench(inProcessCallers);
