export type { ClientSession, Collection, Filter } from "mongodb";
export { readBounded } from "./bounded-page.ts";
export { type CursorPart, type CursorPartType, decodeCursor, encodeCursor, InvalidCursorError } from "./cursor.ts";
export { type DeletedOrganisationDocument, DeletedOrganisations } from "./deleted-organisations.ts";
export { connectDocumentStore, type DocumentStore } from "./document-store.ts";
export {
  asStoreError,
  DuplicateKeyError,
  isDuplicateKey,
  isStoreUnavailable,
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnavailableError,
  TenantMismatchError,
  TransactionConflictError,
  translated,
  UnsuitableStoreError,
  upserted,
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "./errors.ts";
export { GroupWriter } from "./group-writer.ts";
export {
  IdempotencyKeyReusedError,
  IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentRequest,
  type IdempotentWork,
  RequestInFlightError,
} from "./idempotency-store.ts";
export { KeyedMutex } from "./keyed-mutex.ts";
export {
  type Claim,
  type ClaimOptions,
  type HeldLease,
  type LeaseFields,
  LeaseLostError,
  type LeaseRelease,
  type LeaseState,
  Leases,
  type LeasesOptions,
  type LeaseTerm,
} from "./leases.ts";
export type { Logger } from "./logger.ts";
export {
  type EventCause,
  Outbox,
  type OutboxLook,
  type OutboxRecord,
  type StagedEvents,
  type StagingListener,
} from "./outbox.ts";
export {
  byCreation,
  createdAfter,
  createdBefore,
  isAfter,
  newestFirst,
  type Page,
  type PageRequest,
  type Place,
  pageBy,
  pageOf,
  placeOf,
  toRead,
} from "./page.ts";
export { type OwnedCollection, ownedCollections, removeOrganisation } from "./remove-organisation.ts";
export { ReplicaLeases } from "./replica-leases.ts";
export type { IndexPlan } from "./schema/index-plan.ts";
export { createIndexes, dropReplacedIndexes, IndexConflictError } from "./schema/indexes.ts";
export {
  type MigratedBatch,
  type Migration,
  MigrationOrderError,
  type MigrationWork,
  SchemaTooNewError,
} from "./schema/migration.ts";
export { openSchema, type Schema, type SchemaDeclaration, type SchemaOptions } from "./schema/schema.ts";
export { SchemaStore, type StoredSchema } from "./schema/schema-store.ts";
export { storeMetrics } from "./store-metrics.ts";
export { type PublishedBetween, type StoredMark, type StreamMark, StreamMarks } from "./stream-marks.ts";
export { type PickOptions, TenantCollection, type TenantDocument, type TenantFilter } from "./tenant-collection.ts";
export { withTransaction } from "./transaction.ts";
