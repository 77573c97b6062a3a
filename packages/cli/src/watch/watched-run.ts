import type { components } from "@aiplatform/client";
import { type CurvePoint, drawn, extended, numberText } from "./curve.ts";

type LiveMetrics = components["schemas"]["RunLiveMetrics"];

/** A run as its events have told it. */
export interface WatchedRun {
  status: string;
  phase: string;
  /** Seconds in which the job took steps. */
  elapsed: number;
  segment: number;
  /** The metric that is watched; undefined before any was reported. */
  metric: string | undefined;
  value: number | undefined;
  step: number | undefined;
  /** The best value of the primary metric. */
  best: number | undefined;
  /** Newest line of the trainer's log. */
  log: string | undefined;
  curve: readonly CurvePoint[];
}

const endings: ReadonlySet<string> = new Set(["completed", "failed", "aborted"]);

/** Whether the job has come to its end. */
export function hasEnded({ status }: Pick<WatchedRun, "status">): boolean {
  return endings.has(status);
}

/** The run after one more event. Without a metric that is `wanted`, the primary one is watched, or the first that was reported. */
export function after(before: WatchedRun | undefined, event: LiveMetrics, wanted?: string): WatchedRun {
  const { status, lifecycle, active_segment: segment, metrics, series, primary_metric: primary } = event;
  const named = textOf(primary["name"]);
  const metric = wanted ?? before?.metric ?? (named || Object.keys(metrics)[0]);
  const newest = membersOf(metric === undefined ? undefined : metrics[metric]);
  const added = pointsOf(membersOf(metric === undefined ? undefined : series[metric]));
  return {
    ...{ status, phase: lifecycle.current_phase, elapsed: lifecycle.elapsed_seconds, segment, metric },
    value: numberOf(newest["value"]) ?? before?.value,
    step: numberOf(newest["step"]) ?? before?.step,
    best: metric === named ? numberOf(primary["best_value"]) : undefined,
    log: lifecycle.latest_log?.message ?? before?.log,
    curve: extended(before?.curve ?? [], added),
  };
}

/** One line about where the run is. */
export function lineOf({ status, phase, elapsed, metric, value, step, best }: WatchedRun): string {
  const parts = [
    status,
    ...(status === "running" && phase !== "training" ? [phase] : []),
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(metric === undefined || value === undefined ? [] : [`${metric} ${numberText(value)}`]),
    ...(best === undefined ? [] : [`best ${numberText(best)}`]),
    ...(elapsed > 0 ? [timeText(elapsed)] : []),
  ];
  return parts.join("  ");
}

/** What fills the terminal: the curve, where the run is, and what its trainer said last. */
export function screenOf(run: WatchedRun, columns: number): string[] {
  const log = run.log === undefined ? [] : [run.log.replaceAll(/\p{Cc}/gu, " ")];
  return [...drawn(run.curve, { columns, rows: 12 }), lineOf(run), ...log].map((line) => line.slice(0, columns));
}

function timeText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${String(minutes).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function pointsOf({ steps, values }: Readonly<Record<string, unknown>>): CurvePoint[] {
  if (!Array.isArray(steps) || !Array.isArray(values)) return [];
  return steps.map((step, index) => ({ step: Number(step), value: Number(values[index]) }));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** NaN and infinities are texts in JSON. */
function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "string" ? Number(value) : undefined;
}
