import {
  type DocumentStore,
  Outbox,
  type OutboxLook,
  type PublishedBetween,
  type ReplicaLeases,
  type StagedEvents,
  type StagingListener,
  type StreamMarks,
} from "@aiplatform/document-store";

/** Where a relay finds what has to be published. */
export interface OutboxSource {
  /**
   * What is unpublished in the database and this replica's own, by the batch, in order. The next batch is asked for once the one
   * before is published; a look that is not asked for more has failed.
   */
  unpublished(look: OutboxLook): AsyncIterable<readonly StagedEvents[]>;
  markPublished(keys: string[]): Promise<void>;
  /** Tells what this process stages. */
  listen?(listener: StagingListener): { close(): void };
  /** What this process has stored and need not read again. Without it, whatever is staged is read. */
  stored?: StoredEvents;
  /** The replicas that share the outbox. Without it, this relay publishes everything. */
  replicas?: ReplicaLeases;
  /** How much waits, and the oldest of it for how long; for the metrics. */
  backlog?(): Promise<{ pending: number; oldestSeconds: number }>;
  /** What is known of the stream. Without it, events that the stream loses are lost to consumers that had not read them. */
  marks?: StreamMarks;
  /** Makes pending again what was published between these times; answers how many records. */
  republish?(between: PublishedBetween): Promise<number>;
}

/** Events in memory, in an order in which they may be published. */
export interface StoredEvents {
  /** Takes the next ones: all that come before them are published. */
  take(limit: number): Promise<StagedEvents[]>;
  /** Whether something is stored that only the database knows in its place. */
  readonly needsLook: boolean;
  /** Forgets everything: from here on the database tells, until a look has come to its end. */
  forget(): void;
}

/** The records in the store's `outbox` collection. */
export function outboxSource(store: DocumentStore): OutboxSource {
  return new Outbox(store);
}
