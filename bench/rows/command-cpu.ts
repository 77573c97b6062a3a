/**
 * Processor time of gateway, service and mongod for a command through the whole platform, until its event is published, beside a textbook
 * mesh on the same mongod (`textbook-mesh.ts`). 64 callers, commands spread over 256 jobs, in turns.
 *
 *     node bench/rows/command-cpu.ts [--rounds 5]
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { MongoClient } from "mongodb";
import { httpClient } from "../../tests/load/http-client.ts";
import { createJobs, type Job } from "../../tests/load/run-with-jobs.ts";
import { unbounded } from "../../tests/load/unbounded.ts";
import { type Bench, runBench } from "../harness/bench.ts";
import { cpuSeconds } from "../harness/processes.ts";
import { interleaved, round } from "../harness/rounds.ts";

const [wholeRound, callers, jobCount] = [3_000, 64, 256];

/** Where commands go, and whose processor time they take. */
interface Mesh {
  readonly url: string;
  readonly bearer: string;
  readonly action: string;
  readonly pids: readonly (number | undefined)[];
  /** Resolves when nothing is left to do of what was sent. */
  settled(): Promise<void>;
}

/** Microseconds a command. */
async function cost(mesh: Mesh, jobs: readonly Job[], count: number): Promise<number> {
  const spent = () => mesh.pids.reduce<number>((sum, pid) => sum + cpuSeconds(pid), 0);
  const http = httpClient(mesh.url, mesh.bearer);
  const before = spent();
  await round(count, callers, async (index) => {
    const { pipelineId, runId, name } = jobs[index % jobs.length] as Job;
    const body = JSON.stringify({ action: mesh.action, idempotency_key: randomUUID() });
    const path = `/pipelines/${pipelineId}/runs/${runId}/training/${name}/commands`;
    const { status, text } = await http.send("POST", path, body);
    if (status !== 201) throw new Error(`a command was answered ${status}: ${text}`);
  });
  await mesh.settled();
  http.close();
  return ((spent() - before) * 1e6) / count;
}

function ours(platform: LocalPlatform, client: MongoClient): Mesh {
  const log = client.db("training").collection("job_log");
  return {
    ...{ url: platform.description.gateway, bearer: platform.description.api_key, action: "pause" },
    pids: ["gateway", "training", "mongodb"].map((name) => platform.processes.get(name)?.pid),
    async settled() {
      while ((await log.countDocuments({ published: false }, { limit: 1 })) > 0) await delay(200);
    },
  };
}

async function program(stack: AsyncDisposableStack, ...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, "textbook-mesh.ts"), args);
  stack.defer(async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  });
  const [port] = await once(child, "message");
  return { child, url: `http://127.0.0.1:${port}` };
}

async function textbook(platform: LocalPlatform, stack: AsyncDisposableStack): Promise<Mesh> {
  const service = await program(stack, "service", platform.mongodbUri, "textbook");
  const gateway = await program(stack, "gateway", service.url);
  const pids = [gateway.child.pid, service.child.pid, platform.processes.get("mongodb")?.pid];
  const settled = async () => {};
  return { url: gateway.url, bearer: "", action: "TRAINING_CONTROL_ACTION_PAUSE", pids, settled };
}

export const commandCpu: Bench = {
  title: "Processor time of a command",
  async measure({ rounds, share }) {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await mkdtempDisposable(join(tmpdir(), "command-cpu-")));
    const options = {
      directory: home.path,
      trainer: false,
      separate: "all",
      settings: { gateway: unbounded },
    } as const;
    const platform = stack.use(await startPlatform(options));
    const client = await MongoClient.connect(platform.mongodbUri);
    stack.defer(() => client.close());
    const transport = createMeshTransport({ addresses: platform.description.grpc.training });
    stack.defer(() => transport.close());
    const jobs = await createJobs(transport, platform.description.api_key, jobCount);
    const meshes = { ours: ours(platform, client), textbook: await textbook(platform, stack) };
    const count = Math.ceil(wholeRound * share);
    // Warms both up.
    for (const mesh of Object.values(meshes)) await cost(mesh, jobs, count);
    const measured = await interleaved(rounds, {
      textbook: () => cost(meshes.textbook, jobs, count),
      ours: () => cost(meshes.ours, jobs, count),
    });
    const floor = { name: "a textbook mesh", values: measured.textbook };
    return [
      {
        ...{ id: "command-cpu", name: "gateway, training and mongod for a command", unit: "µs of CPU" },
        ...{ values: measured.ours, floor },
      },
    ];
  },
};

if (import.meta.main) await runBench(commandCpu);
