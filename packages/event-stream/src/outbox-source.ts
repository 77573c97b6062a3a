import { type DocumentStore, Outbox, type OutboxRecord } from "@aiplatform/document-store";

/** Where a relay finds what has to be published. */
export interface OutboxSource {
  /** The oldest unpublished records, in order. */
  pending(limit: number): Promise<OutboxRecord[]>;
  markPublished(ids: string[]): Promise<void>;
  /** Tells that something was staged; only makes the relay prompt. */
  changes?(wake: () => void): { close(): void };
  /** How much waits, and the oldest of it for how long; for the metrics. */
  backlog?(): Promise<{ pending: number; oldestSeconds: number }>;
  /**
   * Told which incarnation of the stream is published to, before the first publish and whenever it changes. The source makes
   * pending again what a lost incarnation held; answers how many records. Without it, such events are lost to consumers that
   * had not read them yet.
   */
  replayInto?(incarnation: string): Promise<number>;
}

/** The records in the store's `outbox` collection. */
export function outboxSource(store: DocumentStore): OutboxSource {
  return new Outbox(store);
}
