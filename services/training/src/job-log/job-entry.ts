import type { JobState } from "./job-state.ts";

/** Identifies a job. */
export interface JobKey {
  organisationId: string;
  runId: string;
  jobName: string;
}

/** A job with the pipeline of its run. */
export interface JobReference extends JobKey {
  pipelineId: string;
}

export const actions = [
  "continue",
  "pause",
  "resume",
  "rollback",
  "warm_restart",
  "finish_from_checkpoint",
  "abort",
] as const;

export type Action = (typeof actions)[number];

/** `applied` and `rejected` are final. */
export type CommandStatus = "pending" | "applied" | "rejected";

/** A command as it was recorded: the status is the one it was born with. */
export interface RecordedCommand {
  id: string;
  /** From 1, without gaps within the job. */
  sequence: number;
  action: Action;
  checkpointId?: string;
  /** JSON text of an object, as sent. */
  overrides: string;
  idempotencyKey: string;
  /** Of everything that makes two requests the same command. */
  fingerprint: string;
  requestedByMemberId?: string;
  /** Fencing epoch it was issued under. */
  epoch: number;
  status: CommandStatus;
  detail?: string;
  createdAt: Date;
  /** Of a pause: when the job goes on by itself. */
  resumeAt?: Date;
}

/** A saved training state. */
export interface Checkpoint {
  id: string;
  /** Steps taken when it was saved. */
  step: number;
  segmentIndex: number;
  /** As pairs, because names of metrics are no safe field names. */
  metrics: { name: string; value: number }[];
  uri: string;
  sha256: string;
  sizeBytes: number;
  createdAt: Date;
  /** No command can name it any longer, and the trainer deletes its files. */
  prunedAt?: Date;
  /** What reading it has shown last, and when. */
  verified?: { outcome: Verification; at: Date };
}

/** What reading a checkpoint has shown. */
export type Verification = "intact" | "damaged" | "missing";

/** The result of a job. */
export interface Artifact {
  uri: string;
  sha256: string;
  sizeBytes: number;
  format: string;
  metrics: { name: string; value: number }[];
  /** The checkpoint it was published from, if any. */
  checkpointId?: string;
}

/** What a job's metrics were when it ended well. */
export interface FinalMetrics {
  /** The newest value of each, by name. As pairs, because names of metrics are no safe field names. */
  latest: { name: string; value: number }[];
  /** Name of the primary one; empty without one. */
  primary: string;
}

/** How a segment began. */
export type SegmentKind = "initial" | "resume" | "rollback" | "warm_restart";

/** A stretch of training that begins. */
export interface NewSegment {
  index: number;
  kind: SegmentKind;
  parentIndex?: number;
  /** Step it starts after. */
  startStep: number;
  checkpointId?: string;
  commandId?: string;
  commandSequence?: number;
  /** JSON text of an object. */
  overrides: string;
}

/** The exclusive right to issue commands. `ended` says how it was lost; a lease without it may still have expired. */
export interface SupervisionLease {
  id: string;
  /** SHA-256 of the token, hexadecimal. */
  tokenHash: string;
  epoch: number;
  holderMemberId?: string;
  acquiredAt: Date;
  expiresAt: Date;
  ended?: "released" | "revoked" | "expired";
}

/** The final outcome of one or more pending commands. */
export interface Resolution {
  sequences: number[];
  status: "applied" | "rejected";
  detail?: string;
  /** The checkpoint that was used. */
  checkpointId?: string;
  /** The attachment that acknowledged it; absent when the service decided. */
  attachmentId?: string;
}

/** What an entry changes. Each fact is independent of the others; all facts of an entry become true at once. */
export interface JobFacts {
  command?: RecordedCommand;
  resolutions?: Resolution[];
  state?: { from: JobState; to: JobState; detail?: string };
  segment?: NewSegment;
  /** JSON text of an object: overrides that a command has changed without a new segment. */
  overrides?: string;
  checkpoint?: Checkpoint;
  /** Ids of checkpoints that are pruned. */
  pruned?: string[];
  verified?: { checkpointId: string; outcome: Verification };
  artifact?: Artifact;
  /** With the move to `completed`. */
  metrics?: FinalMetrics;
  /** The lease as it is from now on. */
  lease?: SupervisionLease;
  /** Fencing epoch from now on. */
  epoch?: number;
  attachment?: { id: string };
  /** The resume that a pause has asked for is over: it was made, or refused. */
  pauseEnded?: true;
}

/** What was decided; the facts say what follows from it. */
export type EntryKind =
  | "command"
  | "commands_expired"
  | "command_acknowledged"
  | "state_reported"
  | "checkpoint_registered"
  | "checkpoints_pruned"
  | "checkpoint_verified"
  | "trainer_attached"
  | "lease_acquired"
  | "lease_renewed"
  | "lease_released"
  | "lease_expired"
  | "pause_ended";

/** One decision about a job. */
export interface JobEntry {
  /** From 1, without gaps within the job. */
  position: number;
  kind: EntryKind;
  at: Date;
  /** Names the decision, so that one whose write got no answer is recognised in the log. */
  decision: string;
  facts: JobFacts;
  /** W3C trace context of the call that decided. */
  traceparent?: string;
}
