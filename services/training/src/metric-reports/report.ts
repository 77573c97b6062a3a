/** Phases of a job's life, in order. */
export const lifecyclePhases = [
  "queued",
  "preparing",
  "training",
  "evaluating",
  "checkpointing",
  "finalizing",
] as const;
export type PhaseName = (typeof lifecyclePhases)[number];
export type PhaseStatus = "pending" | "running" | "paused" | "completed" | "failed" | "skipped";
export type HeartbeatSource = "trainer" | "runner" | "scheduler";

/** Points of one metric, as columns of equal length. */
export interface ReportedColumn {
  name: string;
  steps: ArrayLike<number>;
  values: ArrayLike<number>;
  /** When the last point was taken, milliseconds since 1970; 0: not said. */
  observedAtMs: number;
  /** How long before that each point was taken, ms; absent or empty: not said. */
  agesMs?: ArrayLike<number>;
}

/** Times are milliseconds since 1970; absent where the trainer did not say. */
export interface Report {
  columns: readonly ReportedColumn[];
  phases: readonly { phase: PhaseName; status: PhaseStatus; at: number | undefined }[];
  /** The newest line of those sent. */
  latestLog: { message: string; source: string; at: number | undefined } | undefined;
  heartbeat: { at: number | undefined; source: HeartbeatSource } | undefined;
  resources: ResourceUse | undefined;
}

/** What a process uses. */
export interface ResourceUse {
  devices: readonly string[];
  /** Bytes. */
  deviceMemory: bigint | undefined;
  /** 1 is one whole core. */
  cpu: number | undefined;
  /** Bytes. */
  memory: bigint | undefined;
  at: number | undefined;
}

/** A report that is durable. */
export interface AcceptedReport {
  organisationId: string;
  runId: string;
  jobName: string;
  counter: number;
  /** Place among the batches of the run, from 1, without gaps. */
  sequence: number;
  segment: number;
  /** It came after a newer segment had begun. */
  archived: boolean;
  acceptedAt: Date;
  report: Report;
}

/** What is durable once a batch is. */
export interface Durable {
  /** Every batch of the job that was accepted has a counter up to this. */
  counter: number;
  /** Of the run. */
  sequence: number;
}

/** Max points in one batch, over all columns. */
export const maxPointsPerReport = 100_000;

/** Max different metrics of one job, over all its segments: each costs memory and a place in every answer. */
export const maxMetricsPerJob = 2_000;

/** What is wrong with a batch as a whole, as field and sentence; the contract's own rules are checked before. */
export function problemOf(columns: readonly ReportedColumn[]): { field: string; description: string } | undefined {
  let points = 0;
  for (const [index, { steps, values, agesMs = [] }] of columns.entries()) {
    if (steps.length !== values.length) {
      const description = `holds ${values.length} values for ${steps.length} steps; both must be equally many`;
      return { field: `columns[${index}].values`, description };
    }
    if (agesMs.length > 0 && agesMs.length !== steps.length) {
      const description = `holds ${agesMs.length} ages for ${steps.length} steps; both must be equally many, or there are no ages`;
      return { field: `columns[${index}].ages_ms`, description };
    }
    points += values.length;
  }
  if (points <= maxPointsPerReport) return undefined;
  return { field: "columns", description: `hold ${points} points; at most ${maxPointsPerReport} fit into one batch` };
}

const lastMs = Date.UTC(10_000, 0) - 1;

/** The time if it can be written as a date-time between 1970 and 9999; trainers' clocks say the strangest things. */
export function sensibleMs(ms: number): number | undefined {
  return ms > 0 && ms <= lastMs ? Math.floor(ms) : undefined;
}
