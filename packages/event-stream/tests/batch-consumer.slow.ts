import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { isDuplicateKey, StoreUnavailableError, translated } from "@aiplatform/document-store";
import { eventSubject, outboxSource, type ReceivedEvent, startRelay } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { connect } from "nats";
import { describe, expect, it } from "vitest";
import { completed, completedRuns, type Mesh, openMesh } from "./open-mesh.ts";

const subjects = [eventSubject(JobCompletedSchema)];
const noEvent = new Uint8Array([0xff]);

/** One document per event, whose id is the event's: a repeat is refused by the primary key. */
function keepEach({ store }: Mesh) {
  const effects = store.database.collection<{ _id: string; run: string }>("effects");
  return async (events: readonly ReceivedEvent[]) => {
    const documents = events.map(({ id, entityId }) => ({ _id: id, run: entityId }));
    try {
      await translated(() => effects.insertMany(documents, { ordered: false }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };
}

describe("a consumer of batches", () => {
  it("handles what arrives together in one call, over all its replicas, and nothing is lost", async () => {
    await using mesh = await openMesh();
    const keep = keepEach(mesh);
    let calls = 0;
    const handler = (events: readonly ReceivedEvent[]) => {
      calls += 1;
      return keep(events);
    };
    for (let replica = 0; replica < 2; replica += 1) mesh.stream.consumeBatches({ durable: "all", subjects, handler });
    await using _relay = startRelay({ source: outboxSource(mesh.store), stream: mesh.stream });
    await mesh.outbox.stage(undefined, ...completedRuns(0, 2_000));
    await eventually(async () => (await mesh.effects()).size === 2_000, "two thousand effects");
    expect(calls).toBeLessThan(500);
  });

  it("waits while the database is away: that is no attempt", async () => {
    await using mesh = await openMesh();
    const keep = keepEach(mesh);
    const attempts: number[] = [];
    const handler = async (events: readonly ReceivedEvent[]) => {
      attempts.push(...events.map(({ attempt }) => attempt));
      if (attempts.length < 3) throw new StoreUnavailableError("away");
      await keep(events);
    };
    mesh.stream.consumeBatches({ durable: "all", subjects, handler });
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    await mesh.stream.publish([completed("r")]);
    await eventually(async () => (await mesh.effects()).size === 1, "one effect");
    expect(attempts).toEqual([1, 1, 1]);
  });

  it("waits while something else that it needs is away, however long: that is no attempt either", async () => {
    await using mesh = await openMesh();
    const keep = keepEach(mesh);
    class AwayError extends Error {}
    let calls = 0;
    const handler = async (events: readonly ReceivedEvent[]) => {
      calls += 1;
      if (calls < 4) throw new AwayError("away");
      await keep(events);
    };
    const isAway = (error: unknown) => error instanceof AwayError;
    const consumer = mesh.stream.consumeBatches({ durable: "all", subjects, handler, isAway, maxDeliver: 1 });
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    await mesh.stream.publish([completed("r")]);
    await eventually(async () => (await mesh.effects()).size === 1, "one effect");
    expect(await consumer.redrive()).toEqual({ handled: 0, failed: 0 });
  });

  it("puts what cannot be handled among the dead letters while the rest of the batch passes", async () => {
    await using mesh = await openMesh();
    const keep = keepEach(mesh);
    let repaired = false;
    const handler = async (events: readonly ReceivedEvent[]) => {
      if (!repaired && events.some(({ entityId }) => entityId === "bad")) throw new Error("a cause");
      await keep(events);
    };
    const consumer = mesh.stream.consumeBatches({ durable: "all", subjects, handler, maxDeliver: 2 });
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    const connection = await connect({ servers: process.env.TEST_NATS_URL ?? "" });
    const subject = eventSubject(JobCompletedSchema, "o", "x").replace("aiplatform", mesh.streamName);
    await connection.jetstream().publish(subject, noEvent);
    await mesh.stream.publish([completed("before"), completed("bad"), completed("after")]);
    await eventually(async () => (await mesh.effects()).size === 2, "the neighbours' effects");
    const manager = await connection.jetstreamManager();
    const dead = `${mesh.streamName}_dead`;
    await eventually(async () => (await manager.streams.info(dead)).state.messages === 2, "two dead letters");
    await connection.close();
    repaired = true;
    expect(await consumer.redrive()).toEqual({ handled: 1, failed: 1 });
    expect([...(await mesh.effects()).keys()].sort()).toEqual(["after", "bad", "before"]);
  });

  it("gives back what it could not finish when it has to go while the database is away", async () => {
    await using mesh = await openMesh();
    const keep = keepEach(mesh);
    const handling = Promise.withResolvers<void>();
    const failing = async (events: readonly ReceivedEvent[]) => {
      if (events.length > 1) throw new Error("one of them fails");
      handling.resolve();
      throw new StoreUnavailableError("away");
    };
    const leaving = mesh.stream.consumeBatches({ durable: "all", subjects, handler: failing, maxDeliver: 1 });
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    await mesh.stream.publish([completed("one"), completed("other")]);
    await handling.promise;
    await leaving.close();
    const staying = mesh.stream.consumeBatches({ durable: "all", subjects, handler: keep });
    await eventually(async () => (await mesh.effects()).size === 2, "both effects");
    expect(await staying.redrive()).toEqual({ handled: 0, failed: 0 });
  });
});
