import { setTimeout as delay } from "node:timers/promises";
import type { Outage } from "./outage-table.ts";
import type { Sample, SteadyClient } from "./steady-client.ts";
import { type Operation, type Send, succeeded } from "./twelve-operations.ts";

/** When what happened, by `performance.now()`. */
export interface Times {
  removedAt: number;
  /** From here on the absence is known, and is told at once. */
  detectedAt: number;
  /** The part begins to come back. */
  returningAt: number;
  /** It is ready again. */
  returnedAt: number;
}

/** How long a refusal may take once the absence is known: the middle one, since a busy machine delays some, and each. */
const refusedWithinMs = { median: 1_000, max: 5_000 };
/** How long the platform may take once the part is back. */
export const recoversWithinMs = 10_000;

/** A use as a sentence for people. */
export const told = ({ operation, at, ms, ending }: Sample, since: number) =>
  `operation ${operation}, sent after ${((at - since) / 1_000).toFixed(1)} s: ${ending.status ?? "no answer"} ${ending.code ?? ""}, Retry-After ${ending.retryAfter ?? "none"}, after ${Math.round(ms)} ms: ${ending.text.slice(0, 120)}`;

/** Whether the client heard to come back later, in the documented way. */
export const isRejected = ({ ending }: Sample) => ending.status === 503 && ending.retryAfter !== undefined;

/** Whether another transaction held the same documents; nothing was done. */
export const isInTheWay = ({ ending }: Sample) => ending.status === 409 && ending.code === "conflict";

/** What did not go as the table says; empty when all did. */
export function deviations(outage: Outage, samples: readonly Sample[], times: Times): string[] {
  const { removedAt, detectedAt, returningAt, returnedAt } = times;
  const during = samples.filter(({ at }) => at >= removedAt);
  const isExcused = (sample: Sample) => outage.leavesConflicts && sample.at > returningAt && isInTheWay(sample);
  const strange = during.filter((sample) => !succeeded(sample.ending) && !isRejected(sample) && !isExcused(sample));
  const unexpected = during.filter((sample) => {
    if (succeeded(sample.ending) || !isRejected(sample)) return false;
    const mayBeRefused = outage.refused[sample.operation] || outage.remembered.includes(sample.operation);
    return !mayBeRefused;
  });
  const known = during.filter(({ at, ms }) => at >= detectedAt && at + ms < returningAt);
  const answeredAllTheSame = known.filter(({ operation, ending }) => outage.refused[operation] && succeeded(ending));
  const otherwise = known.filter(({ operation, ending }) => {
    const codes = outage.refused[operation];
    return codes !== undefined && !succeeded(ending) && !codes.includes(ending.code ?? "");
  });
  const late = during.filter(({ at, ending }) => at > returnedAt + recoversWithinMs && !succeeded(ending));
  return [
    ...strange.map((sample) => `neither answered nor rejected: ${told(sample, removedAt)}`),
    ...unexpected.map((sample) => `refused: ${told(sample, removedAt)}`),
    ...answeredAllTheSame.map((sample) => `answered: ${told(sample, removedAt)}`),
    ...otherwise.map((sample) => `refused otherwise: ${told(sample, removedAt)}`),
    ...late.map((sample) => `not recovered: ${told(sample, returnedAt)}`),
    ...slowRefusals(known.filter(isRejected)),
  ];
}

function slowRefusals(refusals: readonly Sample[]): string[] {
  const medianMs = quantile(refusals, 0.5);
  const maxMs = quantile(refusals, 1);
  return [
    ...(medianMs > refusedWithinMs.median ? [`half of the refusals took more than ${Math.round(medianMs)} ms`] : []),
    ...(maxMs > refusedWithinMs.max ? [`a refusal took ${Math.round(maxMs)} ms`] : []),
  ];
}

export function quantile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** What was seen, in one line. */
export function summary({ what }: Outage, samples: readonly Sample[], times: Times): string {
  const { removedAt, detectedAt, returningAt, returnedAt } = times;
  const during = samples.filter(({ at }) => at >= removedAt);
  const answered = during.filter(({ ending }) => succeeded(ending));
  const refused = during.filter(isRejected);
  const known = refused.filter(({ at }) => at >= detectedAt && at < returningAt);
  const lastRefused = refused.filter(({ at }) => at >= returningAt).at(-1)?.at ?? returnedAt;
  const figures = [
    `${answered.length} answered`,
    `${refused.length} refused, p50 ${Math.round(quantile(known, 0.5))} ms, p90 ${Math.round(quantile(known, 0.9))} ms, max ${Math.round(quantile(known, 1))} ms once known (max ${Math.round(quantile(refused, 1))} ms before)`,
    `${during.length - answered.length - refused.length} otherwise`,
    `all answered ${Math.max(0, (lastRefused - returnedAt) / 1_000).toFixed(1)} s after its return`,
  ];
  return `${what}: ${figures.join("; ")}\n`;
}

/** What was answered, and has not left what it must. */
export async function lostUses(client: SteadyClient, operations: Readonly<Record<number, Operation>>, send: Send) {
  const found: string[] = [];
  for (const [number, ids] of client.answered) {
    const stored = await operations[number]?.stored?.(patient(send), ids);
    if (stored) found.push(...ids.filter((id) => !stored.has(id)).map((id) => `operation ${number}: ${id}`));
  }
  return found;
}

/** Waits where it asks too often. */
function patient(send: Send): Send {
  return async (method, path, body) => {
    for (;;) {
      const ending = await send(method, path, body);
      if (ending.status !== 429) return ending;
      await delay(Number(ending.retryAfter ?? 1) * 1_000);
    }
  };
}
