import { type Attributes, type Context, isSpanContextValid, type Link, type SpanKind, trace } from "@opentelemetry/api";
import { type Sampler, SamplingDecision, type SamplingResult } from "@opentelemetry/sdk-trace";

/** Which traces are kept. */
export interface TraceSampling {
  /** Share of the traces begun here that are kept, 0 to 1. */
  readonly ratio: number;
  /** Most traces begun here in a second; of those that others began and want kept, ten times as many are followed. */
  readonly perSecond: number;
  /** Whether to follow callers who want their trace kept; false at the edge, which any client may call. */
  readonly followsCallers: boolean;
}

const kept: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const left: SamplingResult = { decision: SamplingDecision.NOT_RECORD };
const followedPerBegun = 10;

/**
 * Keeps what its parent in this process keeps. A trace that comes from elsewhere is kept if it is wanted kept, one begun
 * here by chance and not by its id, which callers can choose; both up to a bound a second, so that no caller can make
 * this process send more spans than that.
 */
export class TraceSampler implements Sampler {
  readonly #sampling: TraceSampling;
  readonly #random: () => number;
  readonly #begun: SecondBudget;
  readonly #followed: SecondBudget;

  constructor(sampling: TraceSampling, { now = () => performance.now(), random = Math.random } = {}) {
    this.#sampling = sampling;
    this.#random = random;
    this.#begun = new SecondBudget(sampling.perSecond, now);
    this.#followed = new SecondBudget(sampling.perSecond * followedPerBegun, now);
  }

  shouldSample(
    parent: Context,
    _traceId: string,
    _name: string,
    _kind: SpanKind,
    _attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const above = trace.getSpanContext(parent);
    const known = above !== undefined && isSpanContextValid(above);
    if (known && !above.isRemote) return isKept(above) ? kept : left;
    if (known && this.#sampling.followsCallers) return isKept(above) && this.#followed.take() ? kept : left;
    // Work on several messages at once belongs to the traces it is linked with.
    if (!known && links.length > 0) return links.some((link) => isKept(link.context)) ? kept : left;
    return this.#random() < this.#sampling.ratio && this.#begun.take() ? kept : left;
  }

  toString(): string {
    return "TraceSampler";
  }
}

function isKept({ traceFlags }: { traceFlags: number }): boolean {
  return (traceFlags & 1) === 1;
}

/** So many in each second. */
class SecondBudget {
  readonly #max: number;
  readonly #now: () => number;
  #left: number;
  #endsAt = 0;

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#left = max;
    this.#now = now;
  }

  take(): boolean {
    const now = this.#now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + 1_000;
      this.#left = this.#max;
    }
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }
}
