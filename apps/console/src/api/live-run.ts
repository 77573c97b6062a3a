import { membersOf } from "./members.ts";
import { numberOf } from "./number-of.ts";
import type { LiveMetrics } from "./platform.ts";

/** The newest point of a metric. NaN and infinities are texts in the API, and numbers here. */
export interface NewestPoint {
  value: number;
  step: number;
}

/** The metric that decides which checkpoint is best. */
export interface PrimaryMetric {
  name: string;
  goal: string;
  best: NewestPoint | undefined;
}

/** Points of one metric in columns. */
export interface SeriesMessage {
  steps: number[];
  values: number[];
  segments: number[];
}

/** What the trainer's machine uses. */
export interface Resources {
  devices: string[];
  /** Bytes on the device. */
  deviceMemory: number | undefined;
  /** Share of the processors, 0 to 1. */
  cpu: number | undefined;
  /** Bytes. */
  memory: number | undefined;
  observedAt: string | undefined;
}

/** Live metrics with their free-form members read. */
export interface LiveRun
  extends Pick<LiveMetrics, "status" | "lifecycle" | "sequence" | "updated_at" | "segments" | "active_segment"> {
  metrics: Record<string, NewestPoint>;
  primary: PrimaryMetric | undefined;
  resources: Resources | undefined;
}

/** Reads what the API describes as free-form objects; what does not have the documented form is left out. */
export function readLiveRun(message: LiveMetrics): LiveRun {
  const { status, lifecycle, sequence, updated_at, segments, active_segment } = message;
  return {
    status,
    lifecycle,
    sequence,
    updated_at,
    segments,
    active_segment,
    metrics: readMembers(message.metrics, readPoint),
    primary: readPrimary(message.primary_metric),
    resources: readResources(message.resources),
  };
}

/** The points of a message, by metric. */
export function readSeries(message: LiveMetrics): Record<string, SeriesMessage> {
  return readMembers(message.series, (value) => {
    const { steps, values, segments } = membersOf(value);
    if (!Array.isArray(steps) || !Array.isArray(values) || !Array.isArray(segments)) return undefined;
    return { steps: steps.map(numberOf), values: values.map(numberOf), segments: segments.map(numberOf) };
  });
}

function readMembers<T>(object: Record<string, unknown>, read: (value: unknown) => T | undefined): Record<string, T> {
  const members = Object.entries(object).flatMap(([name, value]): [string, T][] => {
    const member = read(value);
    return member === undefined ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

function readPoint(value: unknown): NewestPoint | undefined {
  const { value: newest, step } = membersOf(value);
  return typeof step === "number" && newest !== undefined ? { value: numberOf(newest), step } : undefined;
}

function readPrimary({ name, goal, best_value, best_step }: Record<string, unknown>): PrimaryMetric | undefined {
  if (typeof name !== "string") return undefined;
  const best = typeof best_step === "number" ? { value: numberOf(best_value), step: best_step } : undefined;
  return { name, goal: String(goal), best };
}

function readResources(resources: Record<string, unknown>): Resources | undefined {
  const { devices, device_memory, cpu, memory, observed_at } = resources;
  if (observed_at === undefined && devices === undefined) return undefined;
  return {
    devices: Array.isArray(devices) ? devices.map(String) : [],
    deviceMemory: optional(device_memory),
    cpu: optional(cpu),
    memory: optional(memory),
    observedAt: typeof observed_at === "string" ? observed_at : undefined,
  };
}

const optional = (value: unknown) => (typeof value === "number" ? value : undefined);
