import { connectDocumentStore, Outbox } from "@aiplatform/document-store";
import { connectEventStream, outboxSource, startRelay } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { completed, completedRuns, type Mesh, openMesh } from "./open-mesh.ts";

const fromEnvironment = { uri: process.env.TEST_MONGODB_URI ?? "", servers: process.env.TEST_NATS_URL ?? "" };

/** One more replica on the mesh's database and stream: with connections, an outbox and a relay of its own. */
async function startReplica({ database, streamName }: Mesh) {
  const { uri, servers } = fromEnvironment;
  const stack = new AsyncDisposableStack();
  const store = stack.use(await connectDocumentStore({ uri, database, appName: "replica" }));
  const keys = serviceKeys("training");
  const stream = stack.use(await connectEventStream({ servers, name: "replica", keys, streamName }));
  const relay = stack.use(startRelay({ source: outboxSource(store), stream, service: "training" }));
  return { outbox: new Outbox(store), relay, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Runs which were announced, as they are sent: what is sent twice is here twice. */
function hear({ stream }: Mesh): string[] {
  const runs: string[] = [];
  stream.listen("aiplatform.training.>", ({ headers }) => runs.push(headers.get("ce-subject") ?? ""));
  return runs;
}

type Leases = { _id: string; replicas?: { id: string; expires_at: Date }[] };

async function leasesOf({ store }: Mesh) {
  const found = await store.database.collection<Leases>("outbox_state").findOne({ _id: "replicas:outbox" });
  return found?.replicas ?? [];
}

/** Until each of so many replicas has renewed its lease beside the others. */
async function replicasKnowEachOther(mesh: Mesh, count: number): Promise<void> {
  const first = await eventually(async () => {
    const leases = await leasesOf(mesh);
    return leases.length === count && leases;
  }, `${count} leases`);
  const newest = Math.max(...first.map(({ expires_at }) => expires_at.getTime()));
  const renewed = async () => (await leasesOf(mesh)).every(({ expires_at }) => expires_at.getTime() > newest);
  await eventually(renewed, "every lease renewed");
}

describe("two replicas that stage events", () => {
  it("publish each once, in the order of staging, from both", async () => {
    await using mesh = await openMesh();
    await eventually(() => mesh.stream.incarnation(), "the stream");
    const heard = hear(mesh);
    await using one = await startReplica(mesh);
    await using other = await startReplica(mesh);
    await replicasKnowEachOther(mesh, 2);
    const runs = Array.from({ length: 60 }, (_, n) => `run-${n}`);
    for (const [index, run] of runs.entries()) {
      await (index % 2 === 0 ? one : other).outbox.stage(undefined, completed(run));
    }
    await eventually(() => heard.length >= runs.length, "every event");
    await eventually(async () => (await mesh.outbox.depth()) === 0, "every event marked");
    expect(heard).toEqual(runs);
  });

  it("go on when the one that publishes leaves", async () => {
    await using mesh = await openMesh();
    await eventually(() => mesh.stream.incarnation(), "the stream");
    const heard = hear(mesh);
    const first = await startReplica(mesh);
    await eventually(async () => (await leasesOf(mesh)).length === 1, "its lease");
    await using second = await startReplica(mesh);
    await replicasKnowEachOther(mesh, 2);
    await first[Symbol.asyncDispose]();
    await second.outbox.stage(undefined, ...completedRuns(0, 5));
    await eventually(() => heard.length === 5, "every event");
    expect(heard).toEqual(["run-0", "run-1", "run-2", "run-3", "run-4"]);
  });
});

describe("a relay that is closed", () => {
  it("has marked what it has published", async () => {
    await using mesh = await openMesh();
    await eventually(() => mesh.stream.incarnation(), "the stream");
    const heard = hear(mesh);
    await using replica = await startReplica(mesh);
    await replica.outbox.stage(undefined, ...completedRuns(0, 3));
    await eventually(() => heard.length === 3, "every event");
    await replica.relay.close();
    expect(await mesh.outbox.depth()).toBe(0);
  });
});

describe("events that many calls stage one after the other", () => {
  it("are marked by few writes", async () => {
    await using mesh = await openMesh();
    await using replica = await startReplica(mesh);
    const { database } = mesh.store;
    await database.command({ profile: 2 });
    for (const record of completedRuns(0, 300)) await replica.outbox.stage(undefined, record);
    await eventually(async () => (await mesh.outbox.depth()) === 0, "every event marked");
    await database.command({ profile: 0 });
    const updates = database.collection("system.profile").find({ ns: `${database.databaseName}.outbox`, op: "update" });
    const marked = (await updates.toArray()).map(({ nModified }) => Number(nModified));
    expect(marked.reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(marked.length).toBeLessThan(60);
  });
});
