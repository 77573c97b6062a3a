/**
 * What a command costs one replica of the service and two, until its events are published and marked: processor time of all
 * replicas, mongod and nats-server, events that are sent, and what the database is asked about the log. The variants take turns,
 * so that their ratios hold whatever else the machine does. With two, a job's calls go to one of them, as the gateway has it, or
 * each to any.
 *
 *     node services/training/bench/replicas.bench.ts [rounds, default 5] [commands, default 3000] [callers, default 64]
 *
 * Commands and callers are those of a round and a replica.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { type Infra, startInfra } from "@aiplatform/local-platform";
import { newTestEnvironment, ServiceProcess } from "@aiplatform/testkit";
import { hearPublished, type PublishedEvent } from "../tests/published-events.ts";
import { type Clients, clientsAt, type JobName, newJob, program } from "../tests/training-rig.ts";
import { cpuSeconds, spread } from "./bench-process.ts";

const jobs = 128;
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

async function send({ clients, jobs, pick }: Variant): Promise<void> {
  const total = commands * clients.length;
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
  const training = await Promise.all(replicas.map(({ pid }) => cpuSeconds(pid)));
  return {
    at: performance.now(),
    training: training.reduce((sum, seconds) => sum + seconds, 0),
    mongod: await cpuSeconds(processes.mongodb?.pid),
    nats: await cpuSeconds(processes.nats?.pid),
    sent: events.length,
    operations: counted.map((name) => Number(log[name].count)),
  };
}

async function measure(variant: Variant, parts: Infra): Promise<Cost> {
  const total = commands * variant.replicas.length;
  const before = await readCounters(variant, parts);
  await send(variant);
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

function report(name: string, costs: readonly Cost[]): void {
  const of = (figure: (cost: Cost) => number, digits: number) => spread(costs.map(figure), digits);
  console.log(`\n${name}: ${of(({ perSecond }) => perSecond, 0)} commands/s`);
  const cpu = ["training", "mongod", "nats"] as const;
  console.log(`  µs a command: ${cpu.map((part) => `${part} ${of((cost) => cost[part], 0)}`).join(" · ")}`);
  const asked = counted.map((kind) => `${kind} ${of(({ operations }) => operations[kind], 3)}`);
  console.log(`  a command: events sent ${of(({ sent }) => sent, 3)} · on the log ${asked.join(" · ")}`);
}

const [rounds = 5, commands = 3_000, callers = 64] = process.argv.slice(2).map(Number);
await using stack = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), "replicas-"));
stack.defer(() => rm(directory, { recursive: true, force: true }));
const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined };
const parts = stack.use(await startInfra({ directory, env }));
const variants = new Map([
  ["one replica", await openVariant(parts, { count: 1, pick: () => 0 }, stack)],
  ["two replicas", await openVariant(parts, { count: 2, pick: (job) => job % 2 }, stack)],
  ["two replicas, any", await openVariant(parts, { count: 2, pick: () => Math.floor(Math.random() * 2) }, stack)],
]);
const costs = new Map<string, Cost[]>();
for (const variant of variants.values()) await send(variant);
for (let round = 0; round < rounds; round += 1) {
  for (const [name, variant] of variants) {
    costs.set(name, [...(costs.get(name) ?? []), await measure(variant, parts)]);
  }
}
console.log(
  `${rounds} rounds of ${commands} commands at ${callers} callers for each replica, over ${jobs} jobs; median [min-max]`,
);
for (const [name, measured] of costs) report(name, measured);
