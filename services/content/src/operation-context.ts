import type { ClientSession, IdempotencyStore, Outbox } from "@aiplatform/document-store";

/** What operations of every kind work with, besides the stores that they name; each picks what it needs. */
export interface OperationContext {
  outbox: Pick<Outbox, "stage">;
  /** Answers of requests that were sent with an idempotency key. */
  idempotency: Pick<IdempotencyStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  clock: () => Date;
  newId: () => string;
}
