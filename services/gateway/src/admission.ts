import { CallLimit, type CallLimits, usualCallLimits } from "./call-limit.ts";
import { type Owner, owners } from "./owners.ts";
import { Places } from "./places.ts";
import { RateBuckets, type RateBudget } from "./rate-buckets.ts";
import { SourceCounter } from "./source-counter.ts";
import { tryLater } from "./try-later.ts";

export interface AdmissionLimits {
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
  /** Bounds of the calls of each service. Default: those of `usualCallLimits`. */
  calls?: CallLimits;
}

/** A call that a service answers as soon as it can; no stream, and nothing that waits because its caller asked for it. */
export interface PromptCall {
  readonly owner: Owner;
  /** Name of what is done: calls of one name take about the same time. One of few. */
  readonly operation: string;
  /** When all of the request was there, by `performance.now()`; undefined while it is not. Default: it was from the start. */
  readonly arrivedAt?: () => number | undefined;
}

/** Gives a place back. With `isUnavailable` the request was answered 503, which is not charged to the organisation's rate. */
export type Leave = (isUnavailable?: boolean) => void;

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface Admission {
  /**
   * Takes a place; the answer gives it back and is called exactly once, when the response has ended. `tell` hears what is left of
   * the rate, also when nothing is. With `call` the place is one of the service's, whose number follows the time its calls take;
   * without, it is one of the organisation's fixed number.
   */
  enter(organisationId: string, tell?: (budget: RateBudget) => void, call?: PromptCall): Promise<Leave>;
  /** The same for a request without a verified caller. */
  enterAnonymous(source: string, call?: PromptCall): Promise<Leave>;
  /** Counts a request that is refused because it has no verified caller: records of refusals cost, too. */
  countAnonymous(source: string): Promise<void>;
}

/** Tells what `enter` would refuse, at the cost of a look. */
export interface Foresight {
  /** Whether any caller's request may be refused now; while not, there is nothing to look for. */
  readonly isRefusing: boolean;
  /** Why a request would be refused now. `owner`: the service that it is a call of. */
  foresee(organisationId: string, owner?: Owner): "rate" | ShedReason | undefined;
  /** What is left of an organisation's rate. */
  budgetOf(organisationId: string): RateBudget;
}

/** What bounds the calls of each service. */
export type CallLimitsByOwner = ReadonlyMap<Owner, Pick<CallLimit, "limit" | "underWay">>;

/** Why the platform refused a request: a service's calls, or all there may be. */
export type ShedReason = "calls" | "total";

/** Sources of anonymous requests that are remembered at most. */
const anonymousSources = 20_000;
/** Requests without a credential share as one organisation does. */
const anonymousCaller = "";
const allOrganisations = "";

/** `shed` hears why the platform itself refused a request. */
export function createAdmission(
  limits: AdmissionLimits,
  shed: (reason: ShedReason) => void = () => {},
): Admission & Foresight & { readonly callLimits: CallLimitsByOwner } {
  const rate = new RateBuckets(limits.requestsPerSecond);
  const anonymous = new SourceCounter({ seconds: 60, sources: anonymousSources });
  const sources = new Places(limits.anonymousConcurrency ?? 512);
  const organisations = new Places(limits.organisationConcurrency);
  const platform = new Places(limits.totalConcurrency);
  const callLimits = new Map(owners.map((owner) => [owner, new CallLimit(limits.calls ?? usualCallLimits)]));

  const overloaded = (reason: ShedReason) => {
    shed(reason);
    return tryLater("OVERLOADED");
  };
  const enterPlatform = () => takenOr(platform.take(allOrganisations), () => overloaded("total"));
  const enterService = (organisationId: string, { owner, ...call }: PromptCall) =>
    takenOr(callLimits.get(owner)?.begin(organisationId, call), () => overloaded("calls"));
  const enterOrganisation = (organisationId: string) =>
    takenOr(organisations.take(organisationId), () => tryLater("TOO_MANY_CONCURRENT"));
  const enterSource = (source: string) => takenOr(sources.take(source), () => tryLater("TOO_MANY_CONCURRENT"));

  const countAnonymous = async (source: string) => {
    const { times, endsInMs } = await anonymous.add(source);
    if (times > limits.anonymousPerMinute) throw tryLater("RATE_LIMITED", endsInMs);
  };

  return {
    callLimits,
    async enter(organisationId, tell, call) {
      const putBack = rate.take(organisationId);
      if (!putBack) {
        const budget = rate.read(organisationId);
        tell?.(budget);
        throw tryLater("RATE_LIMITED", budget.endsInMs);
      }
      try {
        // A refusal for a reason of ours is not charged.
        const leavePlatform = keepUnless(putBack, enterPlatform);
        const leave = call
          ? keepUnless(both(leavePlatform, putBack), () => enterService(organisationId, call))
          : keepUnless(leavePlatform, () => enterOrganisation(organisationId));
        return (isUnavailable = false) => {
          leave();
          leavePlatform();
          if (isUnavailable) putBack();
        };
      } finally {
        tell?.(rate.read(organisationId));
      }
    },
    async enterAnonymous(source, call) {
      await countAnonymous(source);
      const leaveSource = enterSource(source);
      const leavePlatform = keepUnless(leaveSource, enterPlatform);
      const leaveBoth = both(leavePlatform, leaveSource);
      return call
        ? both(
            keepUnless(leaveBoth, () => enterService(anonymousCaller, call)),
            leaveBoth,
          )
        : leaveBoth;
    },
    countAnonymous,
    budgetOf: (organisationId) => rate.read(organisationId),
    get isRefusing() {
      return (
        rate.isAnyExhausted ||
        platform.isFull(allOrganisations) ||
        owners.some((owner) => callLimits.get(owner)?.isFull)
      );
    },
    foresee(organisationId, owner) {
      if (rate.read(organisationId).remaining === 0) return "rate";
      if (platform.isFull(allOrganisations)) return "total";
      return owner && callLimits.get(owner)?.refuses(organisationId) ? "calls" : undefined;
    },
  };
}

function takenOr(leave: (() => void) | undefined, refused: () => Error): () => void {
  if (!leave) throw refused();
  return leave;
}

/** What `take` takes; `undo` is called where it takes nothing. */
function keepUnless(undo: () => void, take: () => () => void): () => void {
  try {
    return take();
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
