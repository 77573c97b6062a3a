import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { percentile } from "../../../bench/harness/figure.ts";
import type { Outcome, Plan, Told } from "./generator.ts";

const generator = fileURLToPath(new URL("generator.ts", import.meta.url));

/** What became of a plan. */
export interface Generated {
  readonly outcomes: readonly Outcome[];
  /** Processor seconds that the generator took. */
  readonly cpuSeconds: number;
}

/** Has a process of its own send the requests of a plan. */
export async function runPlan(plan: Plan): Promise<Generated> {
  const child = spawn(process.execPath, [generator], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(plan));
  const outcomes: Outcome[] = [];
  let cpuSeconds: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const told: Told = JSON.parse(line);
    for (const outcome of told.outcomes ?? []) outcomes.push(outcome);
    cpuSeconds = told.cpuSeconds ?? cpuSeconds;
  }
  if (cpuSeconds === undefined) throw new Error("the generator ended before its plan did");
  return { outcomes, cpuSeconds };
}

/** What a load met. */
export interface Summary {
  readonly sent: number;
  /** Requests that found every connection taken, and as many before them. */
  readonly unsent: number;
  readonly ok: number;
  /** 429 and 503. */
  readonly refused: number;
  /** Refusals that did not say when to come again. */
  readonly silent: number;
  /** Other statuses, by status. */
  readonly failed: Readonly<Record<string, number>>;
  /** Requests without any answer, by reason: resets, refused connections, time-outs. */
  readonly unanswered: Readonly<Record<string, number>>;
  readonly okMs: readonly number[];
  readonly refusedMs: readonly number[];
  /** How late the generator sent each: what it shares with the platform is the processor. */
  readonly lateMs: readonly number[];
}

export function summarise(outcomes: readonly Outcome[], load?: string): Summary {
  const asked = outcomes.filter((one) => load === undefined || one.load === load);
  const own = asked.filter(({ isSent = true }) => isSent);
  const isOk = ({ status }: Outcome) => status >= 200 && status < 300;
  const isRefused = ({ status }: Outcome) => status === 429 || status === 503;
  const ok = own.filter(isOk);
  const refused = own.filter(isRefused);
  const others = own.filter((one) => one.status !== 0 && !isOk(one) && !isRefused(one));
  return {
    sent: own.length,
    unsent: asked.length - own.length,
    ok: ok.length,
    refused: refused.length,
    silent: refused.filter(({ saysWhen }) => !saysWhen).length,
    failed: countBy(others, ({ status }) => `${status}`),
    unanswered: countBy(own, ({ status, error }) => (status === 0 ? (error ?? "no answer") : undefined)),
    okMs: ok.map(({ ms }) => ms),
    refusedMs: refused.map(({ ms }) => ms),
    lateMs: own.map(({ lateMs }) => lateMs),
  };
}

function countBy(outcomes: readonly Outcome[], nameOf: (one: Outcome) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) {
    const name = nameOf(one);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The row of a summary in a table. */
export function row(name: string, seconds: number, summary: Summary): string[] {
  const at = (values: readonly number[], share: number) =>
    values.length === 0 ? "-" : percentile(values, share).toFixed(0);
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([what, count]) => `${count} x ${what}`)
      .join(", ") || "0";
  return [
    name,
    `${summary.sent}`,
    `${summary.unsent}`,
    (summary.ok / seconds).toFixed(1),
    `${summary.refused}`,
    counts(summary.failed),
    counts(summary.unanswered),
    `${at(summary.okMs, 0.5)} / ${at(summary.okMs, 0.99)}`,
    `${at(summary.refusedMs, 0.5)} / ${at(summary.refusedMs, 0.99)}`,
    `${at(summary.lateMs, 0.5)} / ${at(summary.lateMs, 0.99)}`,
  ];
}

export const header: string[] = [
  "",
  "sent",
  "no connection",
  "2xx per s",
  "429, 503",
  "other",
  "unanswered",
  "2xx ms p50 / p99",
  "refusal ms p50 / p99",
  "sent late by ms p50 / p99",
];
