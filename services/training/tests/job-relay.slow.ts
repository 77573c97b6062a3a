import { randomUUID } from "node:crypto";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { expectOrder, hearPublished, withoutRepeats } from "./published-events.ts";
import { type Clients, type JobName, newJob, TrainingRig } from "./training-rig.ts";

interface ProfiledOperation {
  op: string;
  nreturned?: number;
  nModified?: number;
  command: { filter?: { published?: unknown; _id?: object } };
}

/** What the database does with the log meanwhile, and how many entries become published. */
async function profiled(rig: TrainingRig, work: () => Promise<unknown>) {
  const { database } = rig.store;
  // Its usual size holds some seconds of a busy database.
  await database.createCollection("system.profile", { capped: true, size: 64 * 1024 * 1024 });
  await database.command({ profile: 2 });
  await work();
  await allPublished(rig);
  await database.command({ profile: 0 });
  const operations = await database
    .collection<ProfiledOperation>("system.profile")
    .find({ ns: `${database.databaseName}.job_log` })
    .toArray();
  const reads = operations.filter(({ op, command }) => op === "query" && "$in" in Object(command.filter?._id));
  const marks = operations.filter(({ op, nModified = 0 }) => op === "update" && nModified > 0);
  return {
    entriesRead: reads.reduce((sum, { nreturned = 0 }) => sum + nreturned, 0),
    marks: marks.length,
    entriesMarked: marks.reduce((sum, { nModified = 0 }) => sum + nModified, 0),
  };
}

function allPublished({ store }: TrainingRig) {
  const log = store.database.collection("job_log");
  return eventually(async () => (await log.countDocuments({ published: false })) === 0, "every entry published");
}

async function command(clients: Clients, job: JobName): Promise<void> {
  const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
  await clients.commands.createTrainingControlCommand(request);
}

/** Until every replica has heard of the others: each renews its lease after the newest one has come. */
async function replicasKnowEachOther({ store, services }: TrainingRig): Promise<void> {
  type Leases = { _id: string; replicas: { id: string; expires_at: Date }[] };
  const leases = store.database.collection<Leases>("outbox_state");
  const read = async () => (await leases.findOne({ _id: "replicas:job_log" }))?.replicas ?? [];
  const first = await eventually(async () => {
    const replicas = await read();
    return replicas.length === services.length && replicas;
  }, "a lease of each replica");
  const newest = Math.max(...first.map(({ expires_at }) => expires_at.getTime()));
  const renewed = async () => (await read()).every(({ expires_at }) => expires_at.getTime() > newest);
  await eventually(renewed, "every lease renewed");
}

describe("one replica", () => {
  it("publishes what it has stored from memory, and marks many entries by one write", async () => {
    await using rig = await TrainingRig.start();
    await using heard = await hearPublished(rig.home);
    const clients = rig.as();
    const jobs = await Promise.all([1, 2, 3, 4].map(() => newJob(clients)));
    const commands = 50;
    const { entriesRead, marks, entriesMarked } = await profiled(rig, async () => {
      for (let n = 0; n < commands; n += 1) await Promise.all(jobs.map((job) => command(clients, job)));
    });
    const written = jobs.length * commands;
    expect(entriesMarked).toBe(written);
    // A scan may fall between the storing and the publishing of some, of more on a busy machine.
    expect(entriesRead).toBeLessThan(written / 2);
    expect(marks).toBeLessThan(written / 3);
    expectOrder(heard.events);
    expect(heard.events.length).toBe(withoutRepeats(heard.events).length);
  });

  it("leaves nothing unpublished or unmarked when it stops", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    for (let n = 0; n < 5; n += 1) await command(clients, job);
    await Promise.all(rig.services.map((service) => service.stop()));
    const left = await rig.store.database.collection("job_log").countDocuments({ published: false });
    expect(left).toBe(0);
    const leases = rig.store.database.collection("outbox_state");
    const released = async () => (await leases.countDocuments({ "replicas.0": { $exists: true } })) === 0;
    await eventually(released, "every lease released");
  });
});

describe("two replicas that write the same jobs", () => {
  it("publish and mark each entry once, in the order of its job", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    await using heard = await hearPublished(rig.home);
    const replicas = [rig.as({}, 0), rig.as({}, 1)] as const;
    await replicasKnowEachOther(rig);
    const jobs = await Promise.all(Array.from({ length: 8 }, () => newJob(replicas[0])));
    const commands = 30;
    const { entriesMarked } = await profiled(rig, () =>
      Promise.all(
        jobs.map(async (job, index) => {
          for (let n = 0; n < commands; n += 1) await command(replicas[(n + index) % 2 === 0 ? 0 : 1], job);
        }),
      ),
    );
    expectOrder(heard.events);
    expect(entriesMarked).toBe(jobs.length * commands);
    expect(heard.events.length).toBe(withoutRepeats(heard.events).length);
    expect(withoutRepeats(heard.events).length).toBeGreaterThanOrEqual(jobs.length * commands);
  });
});

describe("an entry that a replica has left behind", () => {
  it("is published by another, before what follows it in its job", async () => {
    await using rig = await TrainingRig.start();
    await using heard = await hearPublished(rig.home);
    const clients = rig.as();
    const job = await newJob(clients);
    await command(clients, job);
    await allPublished(rig);
    await Promise.all(rig.services.map((service) => service.stop()));
    const log = rig.store.database.collection("job_log");
    // As if the replica had been killed between storing and publishing.
    const { matchedCount } = await log.updateMany({ published: true }, { $set: { published: false } });
    expect(matchedCount).toBeGreaterThan(0);
    heard.events.length = 0;
    await using next = await rig.startAnother();
    for (let n = 0; n < 3; n += 1) await command(next.clients, job);
    await allPublished(rig);
    expectOrder(heard.events);
    expect(withoutRepeats(heard.events).length).toBeGreaterThanOrEqual(4);
  });
});
