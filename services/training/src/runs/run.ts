/** When an override may be given: hot with any action that takes overrides, cold only with a warm restart. */
export type OverrideClass = "hot" | "cold" | "resources";

/** A key that a job takes in `runtime_overrides`. */
export interface OverrideDeclaration {
  key: string;
  type: "number" | "integer" | "boolean" | "string";
  class: OverrideClass;
  minimum?: number;
  maximum?: number;
  /** Values of a string; empty: any. */
  allowed: string[];
}

/** A job as declared with its run; it never changes. */
export interface JobDeclaration {
  name: string;
  overrides: OverrideDeclaration[];
  /** Decides which checkpoint is best. */
  primaryMetric?: { name: string; goal: "maximize" | "minimize" };
  /** Seconds without progress after which a running job counts as stalled. */
  stallTimeoutSeconds: number;
  /** Seconds without a heartbeat after which a job counts as lost. */
  heartbeatTimeoutSeconds: number;
  leaseExpiryPolicy: "keep" | "pause";
  /** JSON text of an object, handed to the trainer as it is. */
  configuration: string;
}

/** A run as created; it never changes, its jobs live in their logs. */
export interface Run {
  id: string;
  organisationId: string;
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
  createdAt: Date;
}

/** Stall timeout of a job that declares none. */
export const DEFAULT_STALL_TIMEOUT_SECONDS = 120;
/** Heartbeat timeout of a job that declares none. */
export const DEFAULT_HEARTBEAT_TIMEOUT_SECONDS = 60;
