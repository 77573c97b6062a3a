/**
 * What a page of runs costs where an organisation has many: each filter and each order, warm, at the store. Prints the median with
 * min and max of the milliseconds of a page of 100, and the mean of the processor time of both sides, which other work on the machine
 * changes less. Names those that take more than 50 ms of processor time.
 *
 *     node services/training/bench/run-lists.bench.ts [runs, default 100000] [rounds, default 15]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore, createIndexes, type DocumentStore } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import { spread } from "../../../bench/harness/figure.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import type { JobState } from "../src/job-log/job-state.ts";
import { declaredValues, documentOf, valueName } from "../src/runs/run-document.ts";
import type { RunListName } from "../src/runs/run-list.ts";
import { RunStore } from "../src/runs/run-store.ts";
import { RunValueStore } from "../src/runs/run-value-store.ts";

const runCount = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 15);
const organisationId = randomUUID();
const pipelines = [randomUUID(), ...Array.from({ length: 9 }, () => randomUUID())];
const chunk = 250;
const states: readonly JobState[] = ["completed", "completed", "completed", "failed", "aborted"];

/** Runs of which nine in ten are of the first pipeline, with five numbers of a configuration and five metrics each. */
function runAt(index: number) {
  const pipelineId = pipelines[index % 10 === 0 ? (index / 10) % 10 : 0] ?? "";
  const rates = Object.fromEntries(Array.from({ length: 4 }, (_, place) => [`parameter_${place}`, Math.random()]));
  const configuration = JSON.stringify({
    ...rates,
    optimizer: index % 3 ? "adam" : "sgd",
    learning_rate: Math.random(),
  });
  const job = { name: "train", overrides: [], stallTimeoutSeconds: 120, heartbeatTimeoutSeconds: 60, configuration };
  const run = { id: randomUUID(), organisationId, pipelineId, name: `run ${index}`, createdAt: new Date(1e12 + index) };
  const declared = { tags: [], notes: "", parameters: "{}", datasets: [], updatedAt: run.createdAt };
  const document = documentOf({ ...run, ...declared, jobs: [{ ...job, leaseExpiryPolicy: "keep" }] });
  const state: JobState = index % 1_000 === 0 ? "running" : (states[index % states.length] ?? "completed");
  document.job_states = [{ name: "train", state, position: 9 }];
  document.metrics = Array.from({ length: 5 }, (_, place) => ({ key: `metric_${place}`, value: Math.random() }));
  if (index % 100 === 0) document.metrics.push({ key: "rare", value: index });
  return document;
}

/** The data of a bench has to survive nothing. */
const unsafe = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

async function fill({ database }: DocumentStore): Promise<void> {
  const [runs, values] = [database.collection("runs"), database.collection("run_values")];
  for (let begin = 0; begin < runCount; begin += chunk) {
    const documents = Array.from({ length: Math.min(chunk, runCount - begin) }, (_, place) => runAt(begin + place));
    const numbers = documents.flatMap((run) => [
      ...declaredValues(run, run),
      ...run.metrics.map(({ key, value }) => ({ ...valueName(run, `metrics.${key}`), value })),
    ]);
    await runs.insertMany(
      documents.map((each) => ({ ...each, _id: each._id as never })),
      unsafe,
    );
    await values.insertMany(
      numbers.map((each) => ({ ...each, _id: each._id as never })),
      unsafe,
    );
  }
}

const filters = [
  "",
  'name = "run 500"',
  'name >= "run 5" AND name < "run 51"',
  "created_at >= 2001-09-09T01:46:45Z",
  "jobs.state = running",
  "jobs.state = completed",
  "jobs.state = queued",
  "NOT jobs.state = completed",
  "metrics.metric_3 > 0.9995",
  "metrics.metric_3 > 0.95",
  "metrics.metric_3 > 0.5",
  "metrics.metric_3 > 1",
  "metrics:rare",
  "metrics.rare != 100",
  "configuration.learning_rate <= 0.0005",
  "configuration.learning_rate <= 0.1",
  "configuration.optimizer = adam",
  "configuration.optimizer = none",
  "configuration.learning_rate <= 0.01 AND metrics.metric_3 > 0.95",
  "configuration.optimizer = sgd AND jobs.state = completed AND metrics.metric_1 < 0.3",
  "metrics.metric_3 > 0.95 OR metrics.metric_4 > 0.95",
];
const orders = ["", "name", "created_at asc", "metrics.metric_3 desc", "metrics.rare", "configuration.learning_rate"];

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "run-lists-"));
  const infra = await startInfra({ directory, nats: false, env: { ...process.env, MONGODB_URI: undefined } });
  const store = await connectDocumentStore({ uri: infra.mongodbUri, database: "bench", appName: "bench" });
  try {
    await createIndexes(store, [RunStore.indexes, RunValueStore.indexes]);
    await fill(store);
    await measure(new RunStore(store), infra.processes.mongodb?.pid);
  } finally {
    await store.close();
    await infra.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Milliseconds of processor time of the database and of this process so far. */
function cpuMs(mongod: number | undefined): number {
  const { user, system } = process.cpuUsage();
  return cpuSeconds(mongod) * 1_000 + (user + system) / 1_000;
}

async function measure(runs: RunStore, mongod: number | undefined): Promise<void> {
  const lists: [string, RunListName][] = [
    ["all", "all"],
    ["large pipeline", { pipelineId: pipelines[0] ?? "" }],
    ["small pipeline", { pipelineId: pipelines[3] ?? "" }],
  ];
  const slow: string[] = [];
  for (const [name, list] of lists) {
    for (const orderBy of orders) {
      for (const filter of filters) {
        const times: number[] = [];
        let found = 0;
        let isEarly = false;
        let cpuBefore = 0;
        for (let round = -2; round < rounds; round++) {
          if (round === 0) cpuBefore = cpuMs(mongod);
          const begin = performance.now();
          const { items, nextCursor } = await runs.list(organisationId, list, {
            filter,
            orderBy,
            limit: 100,
            cursor: "",
          });
          found = items.length;
          isEarly = found < 100 && nextCursor !== "";
          if (round >= 0) times.push(performance.now() - begin);
        }
        const cpu = (cpuMs(mongod) - cpuBefore) / rounds;
        const line = `${spread(times, 1).padStart(22)} ms, CPU ${cpu.toFixed(1).padStart(5)} ms  ${String(found).padStart(3)} runs${isEarly ? " and more" : ""}  ${name} · ${orderBy || "newest"} · ${filter || "all"}`;
        process.stdout.write(`${line}\n`);
        if (cpu > 50) slow.push(line);
      }
    }
  }
  process.stdout.write(
    `\n${slow.length} of ${lists.length * orders.length * filters.length} over 50 ms of processor time\n${slow.join("\n")}\n`,
  );
}

await main();
