import { randomUUID } from "node:crypto";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import {
  type ClientSession,
  connectDocumentStore,
  createIndexes,
  type DocumentStore,
  Outbox,
  type OutboxRecord,
} from "@aiplatform/document-store";
import {
  connectEventStream,
  decodeEvent,
  type EventStream,
  type EventStreamOptions,
  eventRecord,
  type ReceivedEvent,
  type StreamLimits,
} from "@aiplatform/event-stream";
import { serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { connect } from "nats";

/** A store and a stream that no other test uses. */
export interface Mesh extends AsyncDisposable {
  store: DocumentStore;
  stream: EventStream;
  outbox: Outbox;
  database: string;
  streamName: string;
  /** How often each run's completion had its effect. */
  effects(): Promise<Map<string, number>>;
}

interface MeshOptions extends Pick<EventStreamOptions, "readers" | "makesRoom"> {
  mongodbUri?: string;
  natsUrl?: string;
  limits?: Partial<StreamLimits>;
  streamName?: string;
}

export async function openMesh({ mongodbUri, natsUrl, limits, ...options }: MeshOptions = {}): Promise<Mesh> {
  const database = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const uri = mongodbUri ?? process.env.TEST_MONGODB_URI ?? "";
  const servers = natsUrl ?? process.env.TEST_NATS_URL ?? "";
  const store = await connectDocumentStore({ uri, database, appName: "event-stream-test" });
  await createIndexes(store, [Outbox.indexes]);
  const streamName = options.streamName ?? database;
  const kept = { ...smallLimits, ...limits };
  const keys = serviceKeys("training");
  const stream = await connectEventStream({ servers, name: "test", keys, ...options, streamName, limits: kept });
  const dispose = async () => {
    await stream.close();
    await deleteStreams(servers, streamName);
    await store.database.dropDatabase();
    await store.close();
  };
  const effects = async () => {
    const runs = await store.database.collection("effects").find().toArray();
    const count = new Map<string, number>();
    for (const { run } of runs) count.set(run, (count.get(run) ?? 0) + 1);
    return count;
  };
  const outbox = new Outbox(store);
  return { store, stream, outbox, database, streamName, effects, [Symbol.asyncDispose]: dispose };
}

const smallLimits = { maxBytes: 64 * 1024 * 1024, maxDeadBytes: 8 * 1024 * 1024 };

async function deleteStreams(servers: string, name: string): Promise<void> {
  const connection = await connect({ servers });
  const manager = await connection.jetstreamManager();
  for (const stream of [name, `${name}_dead`]) await manager.streams.delete(stream).catch(() => false);
  await connection.close();
}

export function completed(run: string, organisationId = "o"): OutboxRecord {
  const facts = { organisationId, entityId: run, time: new Date() };
  return eventRecord(JobCompletedSchema, create(JobCompletedSchema, { runId: run }), facts);
}

export function completedRuns(from: number, to: number): OutboxRecord[] {
  return Array.from({ length: to - from }, (_, n) => completed(`run-${from + n}`));
}

/** Writes one effect per event it is given: twice given is twice seen. */
export function recordEffect(store: DocumentStore) {
  return async (event: ReceivedEvent, session: ClientSession) => {
    const { runId } = decodeEvent(JobCompletedSchema, event.data);
    await store.database.collection("effects").insertOne({ run: runId, at: event.id }, { session });
  };
}
