import { type Upstream, upstreams } from "../upstreams/upstreams.ts";
import { CallLimit, type CallLimits, defaultCallLimits } from "./call-limit.ts";
import { rateLimitError } from "./rate-limit-error.ts";
import { Semaphore } from "./semaphore.ts";
import { SourceCounter } from "./source-counter.ts";
import { type RateLimitState, TokenBuckets } from "./token-buckets.ts";

export interface RequestLimits {
  /** Requests an organisation may make in a second. */
  requestsPerSecond: number;
  /** Requests of one organisation that may wait at once for something other than a service's work: streams, long polls, predictions. */
  organisationConcurrency: number;
  /** Requests of all callers under way at once. */
  totalConcurrency: number;
  /** Requests without a credential that one source may make in a minute, refused ones included. */
  anonymousPerMinute: number;
  /** Requests without a credential that one source may have under way at once. Default 512. */
  anonymousConcurrency?: number;
  /** Bounds of the calls of each service. Default: those of `defaultCallLimits`. */
  calls?: CallLimits;
}

/** A call that a service answers as soon as it can; no stream, and nothing that waits because its caller asked for it. */
export interface PromptCall {
  readonly upstream: Upstream;
  /** Name of what is done: calls of one name take about the same time. One of few. */
  readonly operation: string;
  /** When all of the request was there, by `performance.now()`; undefined while it is not. Default: it was from the start. */
  readonly arrivedAt?: () => number | undefined;
}

/** Releases a permit. With `isUnavailable` the request is not charged to the organisation's rate. */
export type Release = (isUnavailable?: boolean) => void;

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface RequestLimiter {
  /**
   * Acquires a permit; the answer releases it and is called exactly once, when the response has ended. `report` hears what is left
   * of the rate, also when nothing is. With `call` the permit is one of the service's, whose number follows the time its calls take;
   * without, it is one of the organisation's fixed number.
   */
  acquire(organisationId: string, report?: (state: RateLimitState) => void, call?: PromptCall): Promise<Release>;
  /** The same for a request without a verified caller. */
  acquireAnonymous(source: string, call?: PromptCall): Promise<Release>;
  /** Counts a request that is refused because it has no verified caller: records of refusals cost, too. */
  countAnonymous(source: string): Promise<void>;
}

/** Tells what `acquire` would refuse, without acquiring. */
export interface LimitPreview {
  /** Whether any caller's request may be refused now; while not, there is nothing to look for. */
  readonly isRefusing: boolean;
  /** Why a request would be refused now. `upstream`: the service that it is a call of. */
  whyRefused(organisationId: string, upstream?: Upstream): "rate" | ShedReason | undefined;
  /** What is left of an organisation's rate. */
  stateOf(organisationId: string): RateLimitState;
}

/** What bounds the calls of each service. */
export type CallLimitsByUpstream = ReadonlyMap<Upstream, Pick<CallLimit, "limit" | "inFlight">>;

/** Why the platform refused a request: a service's calls, or all there may be. */
export type ShedReason = "calls" | "total";

/** Sources of anonymous requests that are remembered at most. */
const maxAnonymousSources = 20_000;
/** Requests without a credential share as one organisation does. */
const anonymousCaller = "";
const allOrganisations = "";

/** `shed` hears why the platform itself refused a request. */
export function createRequestLimiter(
  limits: RequestLimits,
  shed: (reason: ShedReason) => void = () => {},
): RequestLimiter & { readonly preview: LimitPreview; readonly callLimits: CallLimitsByUpstream } {
  const rate = new TokenBuckets(limits.requestsPerSecond);
  const anonymous = new SourceCounter({ seconds: 60, sources: maxAnonymousSources });
  const callLimits = new Map(upstreams.map((upstream) => [upstream, new CallLimit(limits.calls ?? defaultCallLimits)]));
  const platform = new Semaphore(limits.totalConcurrency);
  const permits = createPermits(limits, { platform, callLimits, shed });

  const countAnonymous = async (source: string) => {
    const { times, resetMs } = await anonymous.add(source);
    if (times > limits.anonymousPerMinute) throw rateLimitError("RATE_LIMITED", resetMs);
  };

  return {
    callLimits,
    preview: createPreview(rate, platform, callLimits),
    async acquire(organisationId, report, call) {
      const refund = rate.take(organisationId);
      if (!refund) {
        const state = rate.read(organisationId);
        report?.(state);
        throw rateLimitError("RATE_LIMITED", state.resetMs);
      }
      try {
        // A refusal for a reason of ours is not charged.
        const releasePlatform = undoUnless(refund, permits.platform);
        const release = call
          ? undoUnless(both(releasePlatform, refund), () => permits.call(organisationId, call))
          : undoUnless(releasePlatform, () => permits.organisation(organisationId));
        return (isUnavailable = false) => {
          release();
          releasePlatform();
          if (isUnavailable) refund();
        };
      } finally {
        report?.(rate.read(organisationId));
      }
    },
    async acquireAnonymous(source, call) {
      await countAnonymous(source);
      const releaseSource = permits.source(source);
      const releasePlatform = undoUnless(releaseSource, permits.platform);
      const releaseBoth = both(releasePlatform, releaseSource);
      if (!call) return releaseBoth;
      const releaseCall = undoUnless(releaseBoth, () => permits.call(anonymousCaller, call));
      return both(releaseCall, releaseBoth);
    },
    countAnonymous,
  };
}

/** Each function acquires one permit, or throws why there is none. */
function createPermits(
  { anonymousConcurrency = 512, organisationConcurrency }: RequestLimits,
  {
    platform,
    callLimits,
    shed,
  }: { platform: Semaphore; callLimits: ReadonlyMap<Upstream, CallLimit>; shed: (reason: ShedReason) => void },
) {
  const sources = new Semaphore(anonymousConcurrency);
  const organisations = new Semaphore(organisationConcurrency);
  const overloaded = (reason: ShedReason) => {
    shed(reason);
    return rateLimitError("OVERLOADED");
  };
  const tooMany = () => rateLimitError("TOO_MANY_CONCURRENT");
  return {
    platform: () => acquiredOr(platform.tryAcquire(allOrganisations), () => overloaded("total")),
    call: (organisationId: string, call: PromptCall) =>
      acquiredOr(callLimits.get(call.upstream)?.begin(organisationId, call), () => overloaded("calls")),
    organisation: (organisationId: string) => acquiredOr(organisations.tryAcquire(organisationId), tooMany),
    source: (source: string) => acquiredOr(sources.tryAcquire(source), tooMany),
  };
}

function createPreview(
  rate: TokenBuckets,
  platform: Semaphore,
  callLimits: ReadonlyMap<Upstream, CallLimit>,
): LimitPreview {
  const limits = [...callLimits.values()];
  return {
    stateOf: (organisationId) => rate.read(organisationId),
    get isRefusing() {
      return rate.isAnyExhausted || platform.isFull(allOrganisations) || limits.some(({ isFull }) => isFull);
    },
    whyRefused(organisationId, upstream) {
      if (rate.read(organisationId).remaining === 0) return "rate";
      if (platform.isFull(allOrganisations)) return "total";
      return upstream && callLimits.get(upstream)?.refuses(organisationId) ? "calls" : undefined;
    },
  };
}

function acquiredOr(release: (() => void) | undefined, refused: () => Error): () => void {
  if (!release) throw refused();
  return release;
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
