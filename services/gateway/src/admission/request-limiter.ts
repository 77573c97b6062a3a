import { rateLimitError, SourceCounter } from "@aiplatform/caller-identity";
import { type Upstream, upstreams } from "../upstreams/upstreams.ts";
import { CallLimit, type CallLimits, defaultCallLimits } from "./call-limit.ts";
import { createPermits, type Demand, type PermitLimits, type Permits, type ShedReason } from "./permits.ts";
import { type RateLimitState, TokenBuckets } from "./token-buckets.ts";

export interface RequestLimits extends PermitLimits {
  /** Requests an organisation may make in a second. */
  requestsPerSecond: number;
  /** Requests without a credential that one source may make in a minute, refused ones included. */
  anonymousPerMinute: number;
  /** Bounds of the calls of each service. Default: those of `defaultCallLimits`. */
  calls?: CallLimits;
}

/** Releases a permit. With `isUnavailable` the request is not charged to the organisation's rate. */
export type Release = (isUnavailable?: boolean) => void;

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface RequestLimiter {
  /**
   * Acquires a permit; the answer releases it and is called exactly once, when the response has ended. `report` hears what is left
   * of the rate, also when nothing is. For a call the permit is one of the service's, whose number follows the time its calls take;
   * for anything else it is one of the organisation's fixed number.
   */
  acquire(organisationId: string, demand: Demand, report?: (state: RateLimitState) => void): Promise<Release>;
  /** The same for a request without a verified caller. */
  acquireAnonymous(source: string, demand: Demand): Promise<Release>;
  /** Counts a request that is refused because it has no verified caller: records of refusals cost, too. */
  countAnonymous(source: string): Promise<void>;
}

/** Tells what `acquire` would refuse, without acquiring. */
export interface LimitPreview {
  /** Whether any caller's request may be refused now; while not, there is nothing to look for. */
  readonly isRefusing: boolean;
  /**
   * Why a request would be refused now. Streams are not foreseen beyond the rate: they are full for long, and then every request
   * would be looked at twice.
   */
  whyRefused(organisationId: string, demand: Demand): "rate" | EarlyShedReason | undefined;
  /** What is left of an organisation's rate. */
  stateOf(organisationId: string): RateLimitState;
}

/** Why the platform refuses work. */
export type EarlyShedReason = Exclude<ShedReason, "streams">;

/** What bounds the calls of each service. */
export type CallLimitsByUpstream = ReadonlyMap<Upstream, Pick<CallLimit, "limit" | "inFlight">>;

/** Sources of anonymous requests that are remembered at most. */
const maxAnonymousSources = 20_000;
/** Requests without a credential share as one organisation does. */
const anonymousCaller = "";

/** `shed` hears why the platform itself refused a request. */
export function createRequestLimiter(
  limits: RequestLimits,
  shed: (reason: ShedReason) => void = () => {},
): RequestLimiter & { readonly preview: LimitPreview; readonly callLimits: CallLimitsByUpstream } {
  const rate = new TokenBuckets(limits.requestsPerSecond);
  const anonymous = new SourceCounter({ seconds: 60, sources: maxAnonymousSources });
  const callLimits = new Map(upstreams.map((upstream) => [upstream, new CallLimit(limits.calls ?? defaultCallLimits)]));
  const permits = createPermits(limits, { callLimits, shed });

  const countAnonymous = async (source: string) => {
    const { times, resetMs } = await anonymous.add(source);
    if (times > limits.anonymousPerMinute) throw rateLimitError("RATE_LIMITED", { afterMs: resetMs });
  };

  return {
    callLimits,
    preview: createPreview(rate, permits, callLimits),
    async acquire(organisationId, demand, report) {
      const refund = rate.take(organisationId);
      if (!refund) {
        const state = rate.read(organisationId);
        report?.(state);
        throw rateLimitError("RATE_LIMITED", { afterMs: state.resetMs });
      }
      try {
        const release = hold(permits, { organisationId, demand, refund });
        return (isUnavailable = false) => {
          release();
          if (isUnavailable) refund();
        };
      } finally {
        report?.(rate.read(organisationId));
      }
    },
    async acquireAnonymous(source, demand) {
      await countAnonymous(source);
      const releaseSource = permits.source(source);
      const releaseTotal = undoUnless(releaseSource, () => permits.total(anonymousCaller, demand));
      const releaseBoth = both(releaseTotal, releaseSource);
      if (typeof demand === "string") return releaseBoth;
      const releaseCall = undoUnless(releaseBoth, () => permits.call(anonymousCaller, demand));
      return both(releaseCall, releaseBoth);
    },
    countAnonymous,
  };
}

/** The permits of a request. One that is refused for a reason of ours is not charged. */
function hold(
  permits: Permits,
  { organisationId, demand, refund }: { organisationId: string; demand: Demand; refund: () => void },
): () => void {
  const total = () => permits.total(organisationId, demand);
  if (typeof demand === "string") {
    const releasePlace = permits.place(organisationId, demand);
    return both(releasePlace, undoUnless(both(releasePlace, refund), total));
  }
  const releaseTotal = undoUnless(refund, total);
  return both(
    undoUnless(both(releaseTotal, refund), () => permits.call(organisationId, demand)),
    releaseTotal,
  );
}

function createPreview(
  rate: TokenBuckets,
  permits: Pick<Permits, "isFull" | "canWork">,
  callLimits: ReadonlyMap<Upstream, CallLimit>,
): LimitPreview {
  const limits = [...callLimits.values()];
  return {
    stateOf: (organisationId) => rate.read(organisationId),
    get isRefusing() {
      return rate.isAnyExhausted || permits.isFull || limits.some(({ isFull }) => isFull);
    },
    whyRefused(organisationId, demand) {
      if (rate.read(organisationId).remaining === 0) return "rate";
      if (demand === "watch" || demand === "work_stream") return undefined;
      if (!permits.canWork(organisationId)) return "total";
      if (demand === "prediction") return undefined;
      return callLimits.get(demand.upstream)?.refuses(organisationId) ? "calls" : undefined;
    },
  };
}

/** What `acquire` acquires; `undo` is called where it throws. */
function undoUnless(undo: () => void, acquire: () => () => void): () => void {
  try {
    return acquire();
  } catch (refused) {
    undo();
    throw refused;
  }
}

function both(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}
