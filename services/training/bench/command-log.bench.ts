/**
 * What a command costs the store: the job's log against one plain durable insert per command (the floor of a write
 * that guarantees nothing) and against the textbook transaction (counter, insert, outbox). Variants take turns within
 * each repetition, so that their ratios hold whatever else the machine does.
 *
 *     node services/training/bench/command-log.bench.ts [seconds per cell, default 3] [repetitions, default 3]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore, createIndexes, type DocumentStore, GroupWriter } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import { CommandCache } from "../src/control-commands/command-cache.ts";
import { createControlCommand } from "../src/control-commands/create-control-command.ts";
import { JobLogStore, jobKeyText } from "../src/job-log/job-log-store.ts";
import { JobLogs } from "../src/job-log/job-logs.ts";
import { JobDirectory } from "../src/runs/job-directory.ts";
import { RunStore } from "../src/runs/run-store.ts";
import { cpuSeconds, spread } from "./bench-process.ts";

/** Writes one command of the job durably. */
type Variant = (job: number) => Promise<unknown>;

interface Cell {
  name: string;
  concurrency: number;
  jobs: number;
}

interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  /** Microseconds of mongod a command; NaN where the system does not tell. */
  cpu: number;
}

const cells: Cell[] = [
  { name: "1 at a time", concurrency: 1, jobs: 1 },
  { name: "64, one hot job", concurrency: 64, jobs: 1 },
  { name: "64, spread over 256 jobs", concurrency: 64, jobs: 256 },
];
const maxJobs = 256;
const organisationId = randomUUID();

function plainInsert({ database }: DocumentStore): Variant {
  const commands = database.collection<{ _id: string; job: number; action: string; at: Date }>("plain");
  return (job) => commands.insertOne({ _id: randomUUID(), job, action: "continue", at: new Date() });
}

function textbook({ database }: DocumentStore): Variant {
  const counters = database.collection<{ _id: number; sequence: number }>("textbook_counters");
  const commands = database.collection<{ _id: string; job: number; sequence: number; at: Date }>("textbook");
  const outbox = database.collection<{ _id: string; job: number }>("textbook_outbox");
  return (job) =>
    database.client.withSession((session) =>
      session.withTransaction(async () => {
        const increment = { $inc: { sequence: 1 } };
        const options = { upsert: true, returnDocument: "after", session } as const;
        const counter = await counters.findOneAndUpdate({ _id: job }, increment, options);
        const at = new Date();
        await commands.insertOne({ _id: randomUUID(), job, sequence: counter?.sequence ?? 0, at }, { session });
        await outbox.insertOne({ _id: randomUUID(), job }, { session });
      }),
    );
}

async function jobLog(store: DocumentStore): Promise<Variant> {
  await createIndexes(store, [JobLogStore.indexes]);
  const runs = new RunStore(store);
  const logStore = new JobLogStore(store);
  const appender = new GroupWriter(logStore.entries, {
    chainOf: ({ run_id, job_name }) => jobKeyText({ runId: run_id, jobName: job_name }),
  });
  const jobLogs = {
    store: logStore,
    appender,
    clock: () => new Date(),
    newDecision: randomUUID,
    flushed: () => undefined,
    warn: (error: unknown) => console.error(error),
  };
  const logs = new JobLogs(jobLogs, { commandExpiryMs: 900_000 });
  const dependencies = {
    directory: new JobDirectory(runs, { maxAgeMs: 30_000 }),
    logs,
    logStore,
    cache: new CommandCache(),
    newId: randomUUID,
  };
  const pipelineId = randomUUID();
  const addresses = await Promise.all(
    Array.from({ length: maxJobs }, async () => {
      const address = { pipelineId, runId: randomUUID(), jobName: "train" };
      await createRunningJob({ runs, logs }, address);
      return address;
    }),
  );
  return async (job) => {
    const address = addresses[job];
    if (!address) throw new RangeError(`there is no job ${job}`);
    const rest = { action: "continue", overrides: "{}", idempotencyKey: randomUUID(), mayOverride: false } as const;
    await createControlCommand(dependencies, organisationId, { address, ...rest });
  };
}

async function createRunningJob(
  { runs, logs }: { runs: RunStore; logs: JobLogs },
  { pipelineId, runId, jobName }: { pipelineId: string; runId: string; jobName: string },
): Promise<void> {
  const limits = { stallTimeoutSeconds: 120, heartbeatTimeoutSeconds: 60, leaseExpiryPolicy: "keep" as const };
  const jobs = [{ name: jobName, overrides: [], configuration: "{}", ...limits }];
  await runs.insert(organisationId, {
    id: runId,
    organisationId,
    pipelineId,
    name: "run",
    ...{ jobs, tags: [], notes: "", parameters: "{}" },
    ...{ createdAt: new Date(), updatedAt: new Date() },
  });
  await logs.decide({ organisationId, pipelineId, runId, jobName }, (job) => ({
    draft: { kind: "state_reported", facts: { state: { from: job.state, to: "running" } } },
    answer: () => undefined,
  }));
}

async function measure(
  variant: Variant,
  { concurrency, jobs }: Cell,
  seconds: number,
  pid?: number,
): Promise<Measured> {
  const latencies: number[] = [];
  const cpuBefore = await cpuSeconds(pid);
  const start = performance.now();
  const end = start + seconds * 1_000;
  const worker = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      await variant(Math.floor(Math.random() * jobs));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const elapsed = (performance.now() - start) / 1_000;
  const cpu = (((await cpuSeconds(pid)) - cpuBefore) * 1e6) / latencies.length;
  latencies.sort((left, right) => left - right);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), cpu };
}

function report(cell: Cell, measured: Map<string, Measured[]>): void {
  console.log(`\n${cell.name}`);
  const own = measured.get("job log") ?? [];
  for (const [name, results] of measured) {
    const ratios = results.map(({ perSecond }, index) => (own[index]?.perSecond ?? Number.NaN) / perSecond);
    const columns = [
      `${spread(
        results.map(({ perSecond }) => perSecond),
        0,
      )} commands/s`,
      `p50 ${spread(
        results.map(({ p50 }) => p50),
        2,
      )} ms`,
      `p99 ${spread(
        results.map(({ p99 }) => p99),
        1,
      )} ms`,
      `mongod ${spread(
        results.map(({ cpu }) => cpu),
        0,
      )} µs`,
      `job log is ${spread(ratios, 2)} ×`,
    ];
    console.log(`  ${name.padEnd(10)} ${columns.join(" · ")}`);
  }
}

const [seconds = 3, repetitions = 3] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), "command-log-"));
const parts = await startInfra({ directory, nats: false, env: { ...process.env, MONGODB_URI: undefined } });
const store = await connectDocumentStore({ uri: parts.mongodbUri, database: "bench", appName: "bench" });
const pid = parts.processes.mongodb?.pid;
console.log(`${repetitions} repetitions of ${seconds} s a cell; median [min-max]`);
for (const cell of cells) {
  const measured = new Map<string, Measured[]>();
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const variants: Record<string, Variant> = {
      plain: plainInsert(store),
      textbook: textbook(store),
      "job log": await jobLog(store),
    };
    for (const [name, variant] of Object.entries(variants)) {
      await variant(0);
      const result = await measure(variant, cell, seconds, pid);
      measured.set(name, [...(measured.get(name) ?? []), result]);
    }
  }
  report(cell, measured);
}
await store.close();
await parts.stop();
await rm(directory, { recursive: true, force: true });
