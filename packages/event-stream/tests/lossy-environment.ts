import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { eventSubject, outboxSource, type ReceivedEvent, startRelay } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { expect } from "vitest";
import { completedRuns, type Mesh, openMesh } from "./open-mesh.ts";
import { startOwnNats } from "./own-nats.ts";

const subjects = [eventSubject(JobCompletedSchema)];
export const events = 400;

export interface LossyEnvironment {
  nats: Awaited<ReturnType<typeof startOwnNats>>;
  mesh: Mesh;
  /** What the relay wrote to its log of gaps. */
  gaps: object[];
}

/** A relay that may have published, and no consumer that has read. */
export async function withEnvironment(work: (environment: LossyEnvironment) => Promise<void>): Promise<void> {
  await using nats = await startOwnNats();
  await using mesh = await openMesh({ natsUrl: nats.parts.natsUrl, readers: ["effects"] });
  const { store, stream } = mesh;
  const gaps: object[] = [];
  const warn = (facts: object, text: string) => void (text.includes("lost events") && gaps.push(facts));
  const logger = { info: () => undefined, warn };
  await using _relay = startRelay({ source: outboxSource(store), stream, logger, examineEveryMs: 200 });
  await work({ nats, mesh, gaps });
}

export async function publish({ outbox }: Mesh, from: number, to: number): Promise<void> {
  await outbox.stage(undefined, ...completedRuns(from, to));
  await eventually(async () => (await outbox.depth()) === 0, "every event published");
}

/** The ids of the events that arrive: one that comes again has the same. */
export function consume({ stream }: Mesh): Set<string> {
  const ids = new Set<string>();
  const handler = async (batch: readonly ReceivedEvent[]) => {
    for (const { id } of batch) ids.add(id);
  };
  stream.consumeBatches({ durable: "effects", subjects, handler });
  return ids;
}

export async function expectAll(mesh: Mesh, ids: ReadonlySet<string>, count: number): Promise<void> {
  await eventually(() => ids.size === count, `${count} events`, 60_000);
  await eventually(async () => (await mesh.outbox.depth()) === 0, "an empty outbox");
  expect(ids.size).toBe(count);
}

const streamDirectory = ({ nats, mesh }: LossyEnvironment) =>
  join(nats.store, "jetstream", "$G", "streams", mesh.streamName);

/** Damages one byte in the middle of the newest block of the stream, as an ageing disk does. */
export async function flipBit(environment: LossyEnvironment): Promise<void> {
  const block = join(streamDirectory(environment), "msgs", "1.blk");
  const bytes = await readFile(block);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(block, bytes);
}
