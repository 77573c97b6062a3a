import type { ClientSession, Outbox } from "@aiplatform/document-store";

/** What an operation needs to store a change together with the event that tells of it. */
export interface Staging {
  outbox: Pick<Outbox, "stage">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
}
