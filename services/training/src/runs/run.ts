import { NotFoundError } from "@aiplatform/service-kit/not-found";

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

/** Decides which checkpoint is best. */
export interface PrimaryMetric {
  name: string;
  goal: "maximize" | "minimize";
}

/** A job as declared with its run; it never changes. */
export interface JobDeclaration {
  name: string;
  overrides: OverrideDeclaration[];
  primaryMetric?: PrimaryMetric;
  /** Seconds without progress after which a running job counts as stalled. */
  stallTimeoutSeconds: number;
  /** Seconds without a heartbeat after which a job counts as lost. */
  heartbeatTimeoutSeconds: number;
  leaseExpiryPolicy: "keep" | "pause";
  /** JSON text of an object, handed to the trainer as it is. */
  configuration: string;
}

/** A run as created; it never changes, the state of its jobs is in their logs. */
export interface Run {
  id: string;
  organisationId: string;
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
  createdAt: Date;
}

/** Bytes of jobs as JSON: configurations and overrides are what can be large. */
export function bytesOfJobs(jobs: readonly JobDeclaration[]): number {
  return Buffer.byteLength(JSON.stringify(jobs));
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class RunNotFoundError extends NotFoundError {
  override name = "RunNotFoundError";
}

/** Stall timeout of a job that declares none. */
export const defaultStallTimeoutSeconds = 120;
/** Heartbeat timeout of a job that declares none. */
export const defaultHeartbeatTimeoutSeconds = 60;
