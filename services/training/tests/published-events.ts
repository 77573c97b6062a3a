import {
  ControlCommandCreatedSchema,
  ControlCommandResolvedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, decodeEvent, eventType } from "@aiplatform/event-stream";
import { eventually, serviceKeys, type TestEnvironment } from "@aiplatform/testkit";
import { expect } from "vitest";

/** An event as it was sent to NATS, repeats included. */
export interface PublishedEvent {
  id: string;
  type: string;
  data: Uint8Array;
}

/** Hears what training publishes, before the stream drops repeats. */
export async function hearPublished({ NATS_URL: servers, NATS_STREAM: streamName }: TestEnvironment) {
  const stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
  await eventually(() => stream.incarnation(), "the stream");
  const events: PublishedEvent[] = [];
  stream.listen("aiplatform.training.>", ({ data, headers }) => {
    events.push({ id: headers.get("ce-id") ?? "", type: headers.get("ce-type") ?? "", data });
  });
  // The subscription is there once the server has answered something that was sent after it.
  await stream.ping();
  return { events, [Symbol.asyncDispose]: () => stream.close() };
}

/** Everything that the stream holds, in its order, once that are so many. */
export async function readStream(home: TestEnvironment, count: number): Promise<PublishedEvent[]> {
  const { NATS_URL: servers, NATS_STREAM: streamName } = home;
  await using stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
  const events: PublishedEvent[] = [];
  await using _consumer = stream.consumeBatches({
    durable: "everything",
    subjects: ["aiplatform.training.>"],
    handler: async (batch) => void events.push(...batch.map(({ id, type, data }) => ({ id, type, data }))),
  });
  await eventually(() => withoutRepeats(events).length >= count, `${count} events in the stream`);
  return events;
}

/** Events by id, each where it was heard first. */
export function withoutRepeats(events: readonly PublishedEvent[]): PublishedEvent[] {
  return [...Map.groupBy(events, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

/** Each job's commands were announced in their order, and each outcome after its command. */
export function expectOrder(events: readonly PublishedEvent[]): void {
  const created = new Map<string, number[]>();
  const known = new Set<string>();
  for (const { type, data } of withoutRepeats(events)) {
    if (type === eventType(ControlCommandCreatedSchema)) {
      const { runId, commandId, sequence } = decodeEvent(ControlCommandCreatedSchema, data);
      created.set(runId, [...(created.get(runId) ?? []), sequence]);
      known.add(commandId);
    } else if (type === eventType(ControlCommandResolvedSchema)) {
      const { commandId } = decodeEvent(ControlCommandResolvedSchema, data);
      expect(known.has(commandId)).toBe(true);
    }
  }
  for (const sequences of created.values()) expect(sequences).toEqual(sequences.map((_sequence, index) => index + 1));
}
