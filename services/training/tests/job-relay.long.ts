import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import type { MeshTransport } from "@aiplatform/service-host";
import { eventually, newTestEnvironment, ServiceProcess, type TestEnvironment } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { expectOrder, hearPublished, readStream, withoutRepeats } from "./published-events.ts";
import { type Clients, clientsAt, type JobName, newJob, program } from "./training-rig.ts";

const organisationId = randomUUID();
/** Lease, renewal and one look, on a machine that does other things as well. */
const takeoverMs = 20_000;

/** Replicas as processes, on a mongod and a nats-server that a test may kill. */
async function openReplicas(count: number) {
  const stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "job-relay-"));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined };
  const parts = stack.use(await startInfra({ directory, env }));
  const home: TestEnvironment = newTestEnvironment("training", parts);
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  const store = stack.use(await connectDocumentStore({ uri, database, appName: "test" }));
  const replicas = Array.from({ length: count }, () => stack.use(new ServiceProcess({ program, home })));
  await Promise.all(replicas.map((replica) => replica.start()));
  const transports: MeshTransport[] = [];
  stack.defer(() => {
    for (const transport of transports) transport.close();
  });
  const clients = replicas.map(({ address }) => {
    const { clients, transport } = clientsAt(address, { organisationId });
    transports.push(transport);
    return clients;
  });
  return { parts, home, store, replicas, clients, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Sends commands one after the other to any of the replicas, again where a call fails, until it has sent enough. */
async function sendCommands(clients: readonly Clients[], job: JobName, total: number): Promise<void> {
  for (let sent = 0; sent < total; sent += 1) {
    const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
    const answered = async (attempt: number) => {
      const { commands } = clients[attempt % clients.length] as Clients;
      return commands.createTrainingControlCommand(request, { timeoutMs: 5_000 }).then(
        () => true,
        () => false,
      );
    };
    for (let attempt = sent; !(await answered(attempt)); attempt += 1);
  }
}

const unpublished = ({ database }: DocumentStore) =>
  database.collection("job_log").countDocuments({ published: false });
const entriesWithEvents = ({ database }: DocumentStore) =>
  database.collection("job_log").countDocuments({ published: { $exists: true } });

async function expectEverythingOut(store: DocumentStore, events: Parameters<typeof expectOrder>[0]): Promise<void> {
  await eventually(async () => (await unpublished(store)) === 0, "every entry published", takeoverMs);
  const entries = await entriesWithEvents(store);
  await eventually(() => withoutRepeats(events).length >= entries, "every event heard");
  expectOrder(events);
}

describe("a replica that is killed while commands flow", () => {
  it("leaves its entries to the others, who publish them within their time and in the order of each job", async () => {
    await using mesh = await openReplicas(2);
    await using heard = await hearPublished(mesh.home);
    const jobs = await Promise.all(Array.from({ length: 12 }, () => newJob(mesh.clients[0] as Clients)));
    const total = 60;
    const sending = Promise.all(jobs.map((job) => sendCommands(mesh.clients, job, total)));
    for (const [round, replica] of [...mesh.replicas, ...mesh.replicas].entries()) {
      const enough = (round + 1) * 100;
      await eventually(async () => (await entriesWithEvents(mesh.store)) > enough, "some commands recorded");
      await replica.kill();
      await replica.start();
    }
    await sending;
    expect(mesh.replicas.map(({ kills }) => kills)).toEqual([2, 2]);
    await mesh.replicas[0]?.kill();
    await expectEverythingOut(mesh.store, heard.events);
    expect(await entriesWithEvents(mesh.store)).toBeGreaterThanOrEqual(jobs.length * total);
  }, 180_000);
});

describe("NATS that is away while more commands come than a replica keeps in memory", () => {
  it("gets all of them in the order of their jobs when it is back, and new ones after them", async () => {
    await using mesh = await openReplicas(2);
    const jobs = await Promise.all(Array.from({ length: 48 }, () => newJob(mesh.clients[0] as Clients)));
    await Promise.all(jobs.map((job) => sendCommands(mesh.clients, job, 2)));
    await eventually(async () => (await unpublished(mesh.store)) === 0, "every entry published");
    await mesh.parts.kill("nats");
    await Promise.all(jobs.map((job) => sendCommands(mesh.clients, job, 50)));
    expect(await unpublished(mesh.store)).toBe(48 * 50);
    await mesh.parts.restart("nats");
    await Promise.all(jobs.map((job) => sendCommands(mesh.clients, job, 5)));
    await eventually(async () => (await unpublished(mesh.store)) === 0, "every entry published");
    expectOrder(await readStream(mesh.home, await entriesWithEvents(mesh.store)));
  }, 240_000);
});
