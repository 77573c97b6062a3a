/**
 * What the in-process callers cost beside each other: CPU microseconds of the process per RPC, over Connect's router transport and
 * directly, in interleaved rounds.
 *
 * Run by hand: `node packages/transcoder/bench/caller.bench.ts`.
 */
import {
  ControlCommandService,
  CreateTrainingControlCommandRequestSchema,
  TrainingControlAction,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import {
  callerFromImplementations,
  callerFromTransport,
  type ImplementationRegistry,
  type RpcCaller,
} from "../src/index.ts";

const rounds = 9;
const callsPerRound = 3000;
const inFlight = 16;
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
const callers = {
  "router transport": callerFromTransport(() => transport),
  direct: callerFromImplementations(register),
};

async function cpuPerCall(caller: RpcCaller): Promise<number> {
  const method = ControlCommandService.method.createTrainingControlCommand;
  const options = { headers: new Headers(), signal: new AbortController().signal, timeoutMs: 35_000 };
  let left = callsPerRound;
  const lane = async () => {
    while (left-- > 0) await caller.unary(method, request, options);
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / callsPerRound;
}

const measured = new Map<string, number[]>(Object.keys(callers).map((name) => [name, []]));
for (let round = 0; round <= rounds; round++) {
  // Alternating, so that a slow moment of the machine meets both. The first round warms up.
  for (const [name, caller] of Object.entries(callers)) {
    const cost = await cpuPerCall(caller);
    if (round > 0) measured.get(name)?.push(cost);
  }
}
for (const [name, costs] of measured) {
  costs.sort((a, b) => a - b);
  const at = (share: number) => (costs[Math.round(share * (costs.length - 1))] ?? Number.NaN).toFixed(1);
  console.log(`${name}: median ${at(0.5)} µs of CPU a call, from ${at(0)} to ${at(1)} (${rounds} rounds)`);
}
