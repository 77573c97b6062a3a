/**
 * What a command costs the store: the job's log against one plain durable insert per command (the floor of a write
 * that guarantees nothing) and against the textbook transaction (counter, insert, outbox). Variants take turns within
 * each repetition, so that their ratios hold whatever else the machine does.
 *
 *     node services/training/bench/command-log.bench.ts [--rounds 5]
 */
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore, createIndexes, type DocumentStore, GroupWriter } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../../bench/harness/figure.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import { interleaved } from "../../../bench/harness/rounds.ts";
import { CommandCache } from "../src/control-commands/command-cache.ts";
import { createControlCommand } from "../src/control-commands/create-control-command.ts";
import { JobLogStore, jobKeyText } from "../src/job-log/job-log-store.ts";
import { JobLogs } from "../src/job-log/job-logs.ts";
import { JobDirectory } from "../src/runs/job-directory.ts";
import { RunStore } from "../src/runs/run-store.ts";

/** Writes one command of the job durably. */
type Variant = (job: number) => Promise<unknown>;

interface Cell {
  id: string;
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
  { id: "alone", name: "1 at a time", concurrency: 1, jobs: 1 },
  { id: "hot", name: "64, one hot job", concurrency: 64, jobs: 1 },
  { id: "spread", name: "64, spread over 256 jobs", concurrency: 64, jobs: 256 },
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
    ...{ jobs, tags: [], notes: "", parameters: "{}", datasets: [] },
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
  const cpuBefore = cpuSeconds(pid);
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
  const cpu = ((cpuSeconds(pid) - cpuBefore) * 1e6) / latencies.length;
  const at = (share: number) => percentile(latencies, share);
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), cpu };
}

/** The job log beside each of the others, and what each of them costs. */
function figuresOf({ id, name }: Cell, measured: Readonly<Record<VariantName, readonly Measured[]>>): Figure[] {
  const rates = (variant: VariantName) => measured[variant].map(({ perSecond }) => perSecond);
  const beside = (["textbook", "plain"] as const).map((floor) => ({
    id: `store-${id}-${floor}`,
    name: `${name}: job log`,
    unit: "commands a second",
    values: rates("job log"),
    floor: { name: floorNames[floor], values: rates(floor) },
  }));
  const costs = (Object.keys(measured) as VariantName[]).flatMap((variant) =>
    (["p50", "p99", "cpu"] as const).map((what) => ({
      id: `store-${id}-${variant}-${what}`.replace(" ", "-"),
      name: `${name}: ${variant}, ${what === "cpu" ? "CPU of mongod a command" : what}`,
      unit: what === "cpu" ? "µs" : "ms",
      values: measured[variant].map((one) => one[what]),
    })),
  );
  return [...beside, ...costs];
}

type VariantName = "plain" | "textbook" | "job log";

const floorNames = { textbook: "textbook transaction", plain: "plain durable insert" } as const;
const cellSeconds = 3;

export const commandLog: Bench = {
  title: "The command store",
  async measure({ rounds, share }) {
    await using home = await mkdtempDisposable(join(tmpdir(), "command-log-"));
    const env = { ...process.env, MONGODB_URI: undefined };
    await using parts = await startInfra({ directory: home.path, nats: false, env });
    await using store = await connectDocumentStore({ uri: parts.mongodbUri, database: "bench", appName: "bench" });
    const pid = parts.processes.mongodb?.pid;
    const figures: Figure[] = [];
    for (const cell of cells) {
      const taken = async (variant: Variant) => {
        await variant(0);
        return measure(variant, cell, cellSeconds * share, pid);
      };
      const measured = await interleaved(rounds, {
        plain: () => taken(plainInsert(store)),
        textbook: () => taken(textbook(store)),
        "job log": async () => taken(await jobLog(store)),
      });
      figures.push(...figuresOf(cell, measured));
    }
    return figures;
  },
};

if (import.meta.main) await runBench(commandLog);
