export type { ClientSession, Collection, Db, Filter } from "mongodb";
export { type BoundedPage, maxPageSize, type PageBounds, readBounded } from "./bounded-page.ts";
export {
  type CursorPart,
  type CursorParts,
  type CursorPartType,
  decodeCursor,
  encodeCursor,
  InvalidCursorError,
} from "./cursor.ts";
export { connectDocumentStore, type DocumentStore, type DocumentStoreOptions } from "./document-store.ts";
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
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "./errors.ts";
export { GroupWriter, type GroupWriterOptions } from "./group-writer.ts";
export {
  IdempotencyKeyReusedError,
  IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentRequest,
  RequestInFlightError,
} from "./idempotency-store.ts";
export { createIndexes, IndexConflictError, type IndexPlan } from "./indexes.ts";
export { KeyedMutex } from "./keyed-mutex.ts";
export {
  type Claim,
  type ClaimOptions,
  type HeldLease,
  type LeaseFields,
  LeaseLostError,
  type LeaseRelease,
  Leases,
  type LeasesOptions,
  type LeaseTerm,
} from "./leases.ts";
export type { Logger } from "./logger.ts";
export { type EventCause, Outbox, type OutboxRecord } from "./outbox.ts";
export {
  byCreation,
  createdAfter,
  isAfter,
  type Page,
  type PageRequest,
  type Place,
  pageBy,
  pageOf,
  placeOf,
  toRead,
} from "./page.ts";
export type { StoreBreaker } from "./store-breaker.ts";
export { storeMetrics } from "./store-metrics.ts";
export { type PublishedBetween, type StoredMark, type StreamMark, StreamMarks } from "./stream-marks.ts";
export {
  type CallOptions,
  type ReadOptions,
  TenantCollection,
  type TenantDocument,
  type TenantFilter,
  type TenantUpdate,
} from "./tenant-collection.ts";
export { withTransaction } from "./transaction.ts";
