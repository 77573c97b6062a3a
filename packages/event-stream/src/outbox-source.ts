import {
  type DocumentStore,
  Outbox,
  type OutboxRecord,
  type PublishedBetween,
  type StreamMarks,
} from "@aiplatform/document-store";

/** Where a relay finds what has to be published. */
export interface OutboxSource {
  /** The oldest unpublished records, in order. */
  pending(limit: number): Promise<OutboxRecord[]>;
  markPublished(ids: string[]): Promise<void>;
  /** Tells that something was staged; only makes the relay prompt. */
  changes?(wake: () => void): { close(): void };
  /** How much waits, and the oldest of it for how long; for the metrics. */
  backlog?(): Promise<{ pending: number; oldestSeconds: number }>;
  /** What is known of the stream. Without it, events that the stream loses are lost to consumers that had not read them. */
  marks?: StreamMarks;
  /** Makes pending again what was published between these times; answers how many records. */
  republish?(between: PublishedBetween): Promise<number>;
}

/** The records in the store's `outbox` collection. */
export function outboxSource(store: DocumentStore): OutboxSource {
  return new Outbox(store);
}
