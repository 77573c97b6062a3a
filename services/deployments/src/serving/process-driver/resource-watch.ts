import type { RolloutFailure } from "../../rollouts/rollout.ts";
import type { RuntimeState } from "../runtime-state.ts";
import { tooMuchMemory } from "./process-exit.ts";
import type { ProcessUsage } from "./process-usage.ts";

export interface ResourceLimits {
  /** Absent: the kernel holds it to its memory. */
  readonly memoryMb?: number;
  /** Processor time beside predictions that an instance may take at once, ms; a share of a processor comes back. */
  readonly spareProcessorMs: number;
}

/** What the runtime itself takes beside what it serves, MiB; it keeps within the limit by itself as a rule. */
export const runtimeMemoryMb = 160;
/** Of a processor, beside predictions, for as long as the instance runs. */
const spareShare = 0.1;

/** Judges what an instance takes, from one look at it to the next. */
export class ResourceWatch {
  readonly #limits: ResourceLimits;
  #last: { readonly at: number; readonly processorMs: number; readonly usedAt: number } | undefined;
  #excessMs = 0;

  constructor(limits: ResourceLimits) {
    this.#limits = limits;
  }

  /** Why it has to end, or undefined. `report`: what it says of itself; undefined while it is not ready. `now`: ms. */
  exceeded(usage: ProcessUsage, report: RuntimeState | undefined, now: number): RolloutFailure | undefined {
    const { memoryMb, spareProcessorMs } = this.#limits;
    if (memoryMb !== undefined && usage.memoryMb > memoryMb + runtimeMemoryMb) return tooMuchMemory(memoryMb);
    this.#count(usage.processorMs, report, now);
    return this.#excessMs > spareProcessorMs ? tooMuchProcessor(spareProcessorMs) : undefined;
  }

  /** Time in which a prediction was under way counts for nothing. */
  #count(processorMs: number | undefined, report: RuntimeState | undefined, now: number): void {
    if (processorMs === undefined || !report) {
      this.#last = undefined;
      return;
    }
    const usedAt = report.lastUsedAt?.getTime() ?? 0;
    const isIdle = report.inFlight === 0 && usedAt === this.#last?.usedAt;
    if (this.#last) {
      const taken = isIdle ? processorMs - this.#last.processorMs : 0;
      this.#excessMs = Math.max(0, this.#excessMs + taken - spareShare * (now - this.#last.at));
    }
    this.#last = { at: now, processorMs, usedAt };
  }
}

function tooMuchProcessor(spareMs: number): RolloutFailure {
  const message = `The instance used the processor for more than ${spareMs / 1_000} s without a prediction, and was ended.`;
  return { reason: "ResourcesUnavailable", message };
}
