/**
 * What a command costs one replica of the service and two, until its events are published and marked: processor time of all
 * replicas, mongod and nats-server, events that are sent, and what the database is asked about the log. The variants take turns,
 * so that their ratios hold whatever else the machine does. With two, a job's calls go to one of them, as the gateway has it, or
 * each to any.
 *
 *     node services/training/bench/replicas.bench.ts [--rounds 5]
 */
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { type Infra, startInfra } from "@aiplatform/local-platform";
import { newTestEnvironment, ServiceProcess } from "@aiplatform/testkit";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import type { Figure } from "../../../bench/harness/figure.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import { interleaved } from "../../../bench/harness/rounds.ts";
import { hearPublished, type PublishedEvent } from "../tests/published-events.ts";
import { type Clients, clientsAt, type JobName, newJob, program } from "../tests/training-rig.ts";

const jobs = 128;
/** Of a round and a replica. */
const [wholeCommands, callers] = [3_000, 64];
const counted = ["queries", "update"] as const;
const organisationId = randomUUID();

interface Variant {
  replicas: readonly ServiceProcess[];
  clients: readonly Clients[];
  jobs: readonly JobName[];
  store: DocumentStore;
  /** What its replicas send to NATS, repeats included. */
  events: readonly PublishedEvent[];
  /** Index of the replica that gets a call about the job of that index. */
  pick: (job: number) => number;
}

/** Of one command: microseconds of processor time, events that are sent, and operations on the log. */
interface Cost {
  perSecond: number;
  training: number;
  mongod: number;
  nats: number;
  sent: number;
  operations: Record<(typeof counted)[number], number>;
}

async function openVariant(
  parts: Infra,
  { count, pick }: { count: number; pick: Variant["pick"] },
  stack: AsyncDisposableStack,
): Promise<Variant> {
  const home = newTestEnvironment("training", parts);
  const replicas = Array.from({ length: count }, () => stack.use(new ServiceProcess({ program, home })));
  await Promise.all(replicas.map((replica) => replica.start()));
  const clients = replicas.map(({ address }) => {
    const { clients, transport } = clientsAt(address, { organisationId });
    stack.defer(() => transport.close());
    return clients;
  });
  const made: JobName[] = [];
  for (let n = 0; n < jobs; n += 1) made.push(await newJob(clients[n % count] as Clients));
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  const store = stack.use(await connectDocumentStore({ uri, database, appName: "bench" }));
  const { events } = stack.use(await hearPublished(home));
  return { replicas, clients, jobs: made, store, events, pick };
}

async function send({ clients, jobs, pick }: Variant, perReplica: number): Promise<void> {
  const total = perReplica * clients.length;
  let sent = 0;
  const caller = async () => {
    while (sent < total) {
      const index = sent % jobs.length;
      sent += 1;
      const job = jobs[index] as JobName;
      const { commands: service } = clients[pick(index)] as Clients;
      await service.createTrainingControlCommand({ ...job, action: Action.PAUSE, idempotencyKey: randomUUID() });
    }
  };
  await Promise.all(Array.from({ length: callers * clients.length }, caller));
}

async function allPublished({ store }: Variant): Promise<void> {
  const log = store.database.collection("job_log");
  // With pauses: what is measured should not be the waiting.
  while ((await log.countDocuments({ published: false }, { limit: 1 })) > 0) await delay(200);
}

async function readCounters({ store, replicas, events }: Variant, { processes }: Infra) {
  const { totals } = await store.client.db("admin").command({ top: 1 });
  const log = totals[`${store.database.databaseName}.job_log`];
  return {
    at: performance.now(),
    training: replicas.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    mongod: cpuSeconds(processes.mongodb?.pid),
    nats: cpuSeconds(processes.nats?.pid),
    sent: events.length,
    operations: counted.map((name) => Number(log[name].count)),
  };
}

async function measure(variant: Variant, parts: Infra, perReplica: number): Promise<Cost> {
  const total = perReplica * variant.replicas.length;
  const before = await readCounters(variant, parts);
  await send(variant, perReplica);
  const seconds = (performance.now() - before.at) / 1_000;
  await allPublished(variant);
  const after = await readCounters(variant, parts);
  const micros = (name: "training" | "mongod" | "nats") => ((after[name] - before[name]) * 1e6) / total;
  const operations = counted.map((name, index) => {
    const more = (after.operations[index] ?? 0) - (before.operations[index] ?? 0);
    return [name, more / total] as const;
  });
  return {
    perSecond: total / seconds,
    ...{ training: micros("training"), mongod: micros("mongod"), nats: micros("nats") },
    sent: (after.sent - before.sent) / total,
    operations: Object.fromEntries(operations) as Cost["operations"],
  };
}

type VariantName = "one" | "two" | "two-any";

const titles: Readonly<Record<VariantName, string>> = {
  one: "one replica",
  two: "two replicas",
  "two-any": "two replicas, calls of a job to any",
};
const variantNames = Object.keys(titles) as VariantName[];

/** Commands for a second of processor time of the service. */
const perCpuSecond = (costs: readonly Cost[]) => costs.map(({ training }) => 1e6 / training);

function figuresOf(measured: Readonly<Record<VariantName, readonly Cost[]>>): Figure[] {
  const unit = "commands a CPU second of the service";
  const floor = { name: titles.one, values: perCpuSecond(measured.one) };
  const ratio = (id: string, name: "two" | "two-any") => ({
    ...{ id, name: titles[name], unit, values: perCpuSecond(measured[name]), floor },
  });
  const costs: readonly (readonly [string, string, (cost: Cost) => number])[] = [
    ["rate", "commands a second", ({ perSecond }) => perSecond],
    ["training", "µs of the service a command", ({ training }) => training],
    ["mongod", "µs of mongod a command", ({ mongod }) => mongod],
    ["nats", "µs of nats-server a command", ({ nats }) => nats],
    ["sent", "events sent a command", ({ sent }) => sent],
    ["queries", "queries of the log a command", ({ operations }) => operations.queries],
    ["updates", "updates of the log a command", ({ operations }) => operations.update],
  ];
  const each = variantNames.flatMap((name) =>
    costs.map(([what, unit, of]) => {
      const values = measured[name].map(of);
      return { id: `${name}-${what}`, name: titles[name], unit, values };
    }),
  );
  return [ratio("two-replicas", "two"), ratio("two-replicas-any", "two-any"), ...each];
}

export const replicas: Bench = {
  title: `Commands over ${jobs} jobs at ${callers} callers a replica`,
  async measure({ rounds, share }) {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await mkdtempDisposable(join(tmpdir(), "replicas-")));
    const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined };
    const parts = stack.use(await startInfra({ directory: home.path, env }));
    const variants = {
      one: await openVariant(parts, { count: 1, pick: () => 0 }, stack),
      two: await openVariant(parts, { count: 2, pick: (job) => job % 2 }, stack),
      "two-any": await openVariant(parts, { count: 2, pick: () => Math.floor(Math.random() * 2) }, stack),
    };
    const perReplica = wholeCommands * share;
    for (const variant of Object.values(variants)) await send(variant, perReplica);
    const measured = await interleaved(rounds, {
      one: () => measure(variants.one, parts, perReplica),
      two: () => measure(variants.two, parts, perReplica),
      "two-any": () => measure(variants["two-any"], parts, perReplica),
    });
    return figuresOf(measured);
  },
};

if (import.meta.main) await runBench(replicas);
