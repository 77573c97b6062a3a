import {
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import type { SubjectNames } from "./subjects.ts";

/** Bounds of what the streams keep. */
export interface StreamLimits {
  /** A stream that holds this much refuses new events. Default 512 MiB. */
  maxBytes: number;
  /** Dead letters beyond this leave, the oldest first. Default 64 MiB. */
  maxDeadBytes: number;
  /** Copies in a NATS cluster. Default 1. */
  replicas: number;
}

const dayMs = 24 * 3_600_000;
/** Events older than this leave the stream. Inbox keys live longer: see `inbox.ts`. */
export const streamMaxAgeMs = 7 * dayMs;
/** Longer than the stream keeps an event and an outbox can publish it again: after that only dead letters bring it. */
export const redeliverableMs = 2 * streamMaxAgeMs + dayMs;
export const deadMaxAgeMs = 90 * dayMs;
/** Refused events of a consumer that are kept; more push out the oldest. */
export const maxRefusedOfConsumer = 500;
const duplicateWindowMs = 2 * 60_000;
const mebibyte = 1024 * 1024;
export const defaultLimits: StreamLimits = { maxBytes: 512 * mebibyte, maxDeadBytes: 64 * mebibyte, replicas: 1 };

const streamNotFound = 10059;
/** Where the stream says how far it was trimmed, so that those events do not look lost. */
const trimmedKey = "aiplatform_trimmed";

/** Creates both streams or brings them up to date. Answers the main stream's incarnation: it changes when the stream was lost. */
export async function ensureStreams(
  manager: JetStreamManager,
  names: SubjectNames,
  limits: StreamLimits,
): Promise<string> {
  const common = {
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    duplicate_window: nanos(duplicateWindowMs),
    num_replicas: limits.replicas,
    allow_direct: true,
    max_msgs_per_subject: -1,
  };
  const dead = {
    name: names.deadStream,
    subjects: [names.dead],
    max_age: nanos(deadMaxAgeMs),
    max_bytes: limits.maxDeadBytes,
    // Dead letters have a subject each; refused events of a consumer share one, so that they do not push those out.
    max_msgs_per_subject: maxRefusedOfConsumer,
    discard: DiscardPolicy.Old,
  };
  await ensureStream(manager, { ...common, ...dead });
  const main = {
    name: names.stream,
    subjects: [names.kept],
    max_age: nanos(streamMaxAgeMs),
    max_bytes: limits.maxBytes,
    // An event that was acknowledged stays until every consumer has read it: see `stream-room.ts`.
    discard: DiscardPolicy.New,
  };
  return ensureStream(manager, { ...common, ...main });
}

/** Looks for both streams, which another process makes. Answers as {@link ensureStreams}. @throws NatsError until both are there */
export async function findStreams(manager: JetStreamManager, names: SubjectNames): Promise<string> {
  await manager.streams.info(names.deadStream);
  return (await manager.streams.info(names.stream)).created;
}

async function ensureStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { name: string },
): Promise<string> {
  const existing = await manager.streams.info(wanted.name).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  // Two replicas may both find nothing: creating the same stream twice is no error for NATS.
  if (!existing) return (await manager.streams.add(wanted)).created;
  const current: Partial<StreamConfig> = existing.config;
  const differs = updatedLimits.some((key) => current[key] !== wanted[key]);
  if (differs) await manager.streams.update(wanted.name, { ...existing.config, ...wanted });
  return existing.created;
}

const updatedLimits = [
  "max_age",
  "max_bytes",
  "max_msgs_per_subject",
  "discard",
  "duplicate_window",
  "num_replicas",
  "allow_direct",
] as const;

/** Up to which sequence events were removed to make room; 0 where none were. */
export function trimmedUpTo({ metadata }: Pick<StreamConfig, "metadata">): number {
  return Number(metadata?.[trimmedKey] ?? 0);
}

/** Removes every event up to that sequence, and notes it at the stream before. */
export async function trimUpTo(manager: JetStreamManager, config: StreamConfig, sequence: number): Promise<void> {
  const metadata = { ...config.metadata, [trimmedKey]: String(sequence) };
  await manager.streams.update(config.name, { ...config, metadata });
  await manager.streams.purge(config.name, { seq: sequence + 1 });
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === streamNotFound;
}
