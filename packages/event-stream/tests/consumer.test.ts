import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { eventSubject, outboxSource, startRelay } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { connect } from "nats";
import { describe, expect, it } from "vitest";
import { completed, completedRuns, type Mesh, openMesh, recordEffect } from "./open-mesh.ts";

const subjects = [eventSubject(JobCompletedSchema)];
/** The shortest time in which NATS can be told to recognise a repeat. */
const windowMs = 100;

describe("a consumer", () => {
  it("gives each event one effect, in order, when every event is published three times and out of order", async () => {
    await using mesh = await openMesh();
    const { store, stream } = mesh;
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    const records = completedRuns(0, 30);
    const connection = await connect({ servers: process.env.TEST_NATS_URL ?? "" });
    const manager = await connection.jetstreamManager();
    await stream.publish(records);
    // A purge makes NATS forget nothing about ids, so the window is closed to make repeats arrive for real.
    const { config } = await manager.streams.info(mesh.streamName);
    await manager.streams.update(mesh.streamName, { ...config, duplicate_window: windowMs * 1e6 });
    const repeats = async (again: typeof records, stored: number) => {
      let publishedAt = performance.now();
      await eventually(async () => {
        // A repeat within the window is none, and may begin another window.
        if (performance.now() - publishedAt > 2 * windowMs) {
          await stream.publish(again);
          publishedAt = performance.now();
        }
        return (await manager.streams.info(mesh.streamName)).state.messages >= stored;
      }, "repeats in the stream");
    };
    await repeats(records.toReversed(), 60);
    await repeats(records, 90);
    await connection.close();

    stream.consume({ durable: "effects", subjects, store, handler: recordEffect(store) });
    await eventually(async () => (await mesh.effects()).size === 30, "thirty effects");
    await stream.publish([completed("last")]);
    await eventually(async () => (await mesh.effects()).has("last"), "the last effect");
    const order = await store.database
      .collection("effects")
      .find({}, { sort: { $natural: 1 } })
      .toArray();
    const expected = [...Array.from({ length: 30 }, (_, n) => `run-${n}`), "last"];
    expect(order.map(({ run }) => run)).toEqual(expected);
  });

  it("shares the events among its replicas, each with one effect", async () => {
    await using mesh = await openMesh();
    const { store, stream } = mesh;
    for (let replica = 0; replica < 3; replica += 1) {
      stream.consume({ durable: "effects", subjects, store, handler: recordEffect(store) });
    }
    await using _relay = startRelay({ source: outboxSource(store), stream });
    await mesh.outbox.stage(undefined, ...completedRuns(0, 100));
    await eventually(async () => (await mesh.effects()).size === 100, "a hundred effects");
    expect([...(await mesh.effects()).values()].every((times) => times === 1)).toBe(true);
  });

  it("keeps nothing of an attempt that failed, and tries again", async () => {
    await using mesh = await openMesh();
    const { store, stream } = mesh;
    const attempts: number[] = [];
    const effect = recordEffect(store);
    stream.consume({
      durable: "effects",
      subjects,
      store,
      backoffMs: [20],
      handler: async (event, session) => {
        await effect(event, session);
        attempts.push(event.attempt);
        if (attempts.length < 3) throw new Error("not yet");
      },
    });
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    await stream.publish([completed("r")]);
    await eventually(() => attempts.length === 3, "three attempts");
    await eventually(async () => (await mesh.effects()).get("r") === 1, "one effect");
    expect(attempts).toEqual([1, 2, 3]);
  });
});

describe("an event that cannot be handled", () => {
  it("is put among the dead letters while its neighbours pass, and has its effect once it can", async () => {
    await using mesh = await openMesh();
    const { store, stream } = mesh;
    const effect = recordEffect(store);
    let repaired = false;
    let attempts = 0;
    const consumer = stream.consume({
      durable: "effects",
      subjects,
      store,
      backoffMs: [20],
      handler: async (event, session) => {
        if (event.entityId === "bad") attempts += 1;
        if (event.entityId === "bad" && !repaired) throw new Error("a cause\r\nwith two lines");
        await effect(event, session);
      },
    });
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    await stream.publish([completed("before"), completed("bad"), completed("after")]);
    await eventually(() => attempts === 5, "five attempts");
    const dead = await deadLetters(mesh.streamName);
    expect([...(await mesh.effects()).keys()]).toEqual(["before", "after"]);
    expect(dead).toMatchObject([{ cause: "Error: a cause with two lines", consumer: "effects", attempts: "5" }]);

    expect(await consumer.redrive()).toEqual({ handled: 0, failed: 1 });
    repaired = true;
    expect(await consumer.redrive()).toEqual({ handled: 1, failed: 0 });
    expect(await consumer.redrive()).toEqual({ handled: 0, failed: 0 });
    expect((await mesh.effects()).get("bad")).toBe(1);
  });

  it("may be a message that is no event at all", async () => {
    await using mesh = await openMesh();
    const { store, stream } = mesh;
    stream.consume({ durable: "effects", subjects, store, backoffMs: [20], handler: recordEffect(store) });
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    const connection = await connect({ servers: process.env.TEST_NATS_URL ?? "" });
    const subject = eventSubject(JobCompletedSchema, "o", "x").replace("aiplatform", mesh.streamName);
    await connection.jetstream().publish(subject, new Uint8Array([0xff, 0xff]));
    await connection.close();
    await stream.publish([completed("neighbour")]);
    const dead = await deadLetters(mesh.streamName);
    expect(dead).toMatchObject([{ cause: "UnverifiedEventError: the event has no signature", attempts: "0" }]);
    await eventually(async () => (await mesh.effects()).get("neighbour") === 1, "the effect of the next event");
  });
});

async function deadLetters(streamName: string) {
  const connection = await connect({ servers: process.env.TEST_NATS_URL ?? "" });
  const manager = await connection.jetstreamManager();
  const stream = `${streamName}_dead`;
  await eventually(async () => (await manager.streams.info(stream)).state.messages > 0, "a dead letter");
  const { state } = await manager.streams.info(stream);
  const letters: { cause: string; consumer: string; attempts: string }[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const { header } = await manager.streams.getMessage(stream, { seq });
    const [cause, consumer, attempts] = ["dead-cause", "dead-consumer", "dead-attempts"].map((name) =>
      header.get(name),
    );
    letters.push({ cause: cause ?? "", consumer: consumer ?? "", attempts: attempts ?? "" });
  }
  await connection.close();
  return letters;
}

describe("an event of an organisation that the consumer's database knows as deleted", () => {
  /** What the consumer has written, once it has handled an event of another organisation that comes later. */
  async function effectsOf(mesh: Mesh, hearsOfDeleted: boolean): Promise<string[]> {
    const { store, stream } = mesh;
    const deleted = store.database.collection<{ _id: string }>("deleted_organisations");
    await deleted.insertOne({ _id: "gone" });
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    stream.consume({ durable: "effects", subjects, store, hearsOfDeleted, handler: recordEffect(store) });
    await stream.publish([completed("of-the-deleted", "gone"), completed("of-another", "here")]);
    await eventually(async () => (await mesh.effects()).has("of-another"), "the later event's effect");
    return [...(await mesh.effects()).keys()].toSorted();
  }

  it("has no effect, and does not come again", async () => {
    await using mesh = await openMesh();
    expect(await effectsOf(mesh, false)).toEqual(["of-another"]);
    expect(await mesh.store.database.collection("inbox").countDocuments()).toBe(2);
  });

  it("has its effect where the consumer hears of such organisations", async () => {
    await using mesh = await openMesh();
    expect(await effectsOf(mesh, true)).toEqual(["of-another", "of-the-deleted"]);
  });
});
