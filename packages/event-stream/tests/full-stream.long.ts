import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import {
  type EventStream,
  EventStreamFullError,
  eventSubject,
  inspectEventStream,
  outboxSource,
  type ReceivedEvent,
  startRelay,
} from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { completed, completedRuns, openMesh } from "./open-mesh.ts";

const subjects = [eventSubject(JobCompletedSchema)];
const servers = process.env["TEST_NATS_URL"] ?? "";
const limits = { maxBytes: 128 * 1024 };
/** Several times what the stream may hold. */
const events = 900;

/** The runs of the events that a consumer gets, but for those that only try whether there is room. */
function collect(stream: EventStream, durable: string): Set<string> {
  const runs = new Set<string>();
  const handler = async (batch: readonly ReceivedEvent[]) => {
    for (const { entityId } of batch) if (entityId !== "another") runs.add(entityId);
  };
  stream.consumeBatches({ durable, subjects, handler });
  return runs;
}

describe("a stream that is full because a consumer is away", () => {
  it("takes no more, keeps what it has, and goes on by itself when the consumer has come", async () => {
    await using mesh = await openMesh({ readers: ["effects"], makesRoom: true, limits });
    const { store, stream, outbox, streamName } = mesh;
    await using _relay = startRelay({ source: outboxSource(store), stream, examineEveryMs: 100 });
    await outbox.stage(undefined, ...completedRuns(0, events));
    const refusal = () =>
      stream.publish([completed("another")]).then(
        () => undefined,
        (error: unknown) => error,
      );
    await eventually(async () => (await refusal()) instanceof EventStreamFullError, "a full stream");
    const held = async () => (await inspectEventStream({ servers, streamName, timeoutMs: 5_000 })).stream?.events ?? 0;
    const before = await held();
    expect(before).toBeGreaterThan(0);
    // Writes go on: what cannot be published waits in the database.
    await outbox.stage(undefined, ...completedRuns(events, events + 10));
    expect(await outbox.depth()).toBeGreaterThan(events / 2);
    expect(await held()).toBeGreaterThanOrEqual(before);

    const read = collect(stream, "effects");
    await eventually(() => read.has("run-0") && read.size === events + 10, "every event", 60_000);
    await eventually(async () => (await outbox.depth()) === 0, "an empty outbox");
  }, 180_000);

  it("keeps what a consumer that is expected has not read, also before that consumer exists", async () => {
    await using mesh = await openMesh({ readers: ["effects", "late"], makesRoom: true, limits });
    const { store, stream, outbox } = mesh;
    await using _relay = startRelay({ source: outboxSource(store), stream, examineEveryMs: 100 });
    collect(stream, "effects");
    await outbox.stage(undefined, ...completedRuns(0, events));
    const refusal = () =>
      stream.publish([completed("another")]).then(
        () => undefined,
        (error: unknown) => error,
      );
    await eventually(async () => (await refusal()) instanceof EventStreamFullError, "a full stream");
    const late = collect(stream, "late");
    await eventually(() => late.has("run-0") && late.size === events, "every event", 60_000);
  }, 180_000);

  it("gets the bound of the settings of the next start", async () => {
    await using mesh = await openMesh({ limits });
    const { stream, streamName } = mesh;
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    await using bigger = await openMesh({ limits: { maxBytes: 512 * 1024 }, streamName });
    await eventually(() => bigger.stream.incarnation() !== undefined, "the stream again");
    const found = await inspectEventStream({ servers, streamName, timeoutMs: 5_000 });
    expect(found.stream?.maxBytes).toBe(512 * 1024);
  });
});
