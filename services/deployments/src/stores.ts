import { type DocumentStore, type IndexPlan, Outbox, ReplayStore } from "@aiplatform/document-store";

/** What deployments keeps, each with the collection it keeps it in. */
// biome-ignore lint/suspicious/noEmptyInterface: the first store of the service makes it none
export interface DeploymentsStores {}

/** The indexes of everything that deployments keeps. */
export const deploymentsIndexes: readonly IndexPlan[] = [Outbox.indexes, ReplayStore.indexes];

/** The stores over one database. */
export function createStores(_store: DocumentStore): DeploymentsStores {
  return {};
}
