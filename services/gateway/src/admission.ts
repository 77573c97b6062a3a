import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { SourceCounter } from "./source-counter.ts";
import { tryLater } from "./try-later.ts";

export interface AdmissionLimits {
  /** Requests an organisation may make in a second. */
  requestsPerSecond: number;
  /** Requests of one organisation under way at once. */
  organisationConcurrency: number;
  /** Requests of everybody under way at once. */
  totalConcurrency: number;
  /** Requests without a credential that one source may make in a minute, refused ones included. */
  anonymousPerMinute: number;
}

/** What is left of an organisation's rate. */
export interface RateBudget {
  /** Requests of the current window that are left. */
  remaining: number;
  /** Time until the window ends, ms. */
  endsInMs: number;
}

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface Admission {
  /**
   * Takes a place; the answer gives it back and is called exactly once, when the response has ended. `tell` hears what is left of
   * the rate, also when nothing is.
   */
  enter(organisationId: string, tell?: (budget: RateBudget) => void): Promise<() => void>;
  /** The same for a request that nobody vouches for. */
  enterAnonymous(source: string): Promise<() => void>;
  /** Counts a request that nobody vouches for, and that is refused for it: records of refusals cost, too. */
  countAnonymous(source: string): Promise<void>;
}

/** Sources of anonymous requests that are remembered at most. */
const anonymousSources = 20_000;

export function createAdmission(limits: AdmissionLimits): Admission {
  const rate = new RateLimiterMemory({ points: limits.requestsPerSecond, duration: 1 });
  const anonymous = new SourceCounter({ seconds: 60, sources: anonymousSources });
  const organisations = new Places(limits.organisationConcurrency);
  const platform = new Places(limits.totalConcurrency);

  const enterPlatform = () => {
    const leave = platform.take("");
    if (!leave) throw tryLater("OVERLOADED");
    return leave;
  };

  const countAnonymous = async (source: string) => {
    const { times, endsInMs } = await anonymous.add(source);
    if (times > limits.anonymousPerMinute) throw tryLater("RATE_LIMITED", endsInMs);
  };

  return {
    async enter(organisationId, tell) {
      const leavePlatform = enterPlatform();
      const leaveOrganisation = organisations.take(organisationId);
      const leave = () => {
        leaveOrganisation?.();
        leavePlatform();
      };
      try {
        if (!leaveOrganisation) throw tryLater("TOO_MANY_CONCURRENT");
        const left = await rate.consume(organisationId);
        tell?.(budgetOf(left));
        return leave;
      } catch (reason) {
        leave();
        if (!(reason instanceof RateLimiterRes)) throw reason;
        tell?.(budgetOf(reason));
        throw tryLater("RATE_LIMITED", reason.msBeforeNext);
      }
    },
    async enterAnonymous(source) {
      await countAnonymous(source);
      return enterPlatform();
    },
    countAnonymous,
  };
}

function budgetOf({ remainingPoints, msBeforeNext }: RateLimiterRes): RateBudget {
  return { remaining: Math.max(0, remainingPoints), endsInMs: msBeforeNext };
}

/** Places that are taken at once, by who has them. */
class Places {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Answers how to give the place back, or undefined when `who` has all of them. */
  take(who: string): (() => void) | undefined {
    const taken = this.#taken.get(who) ?? 0;
    if (taken >= this.#most) return undefined;
    this.#taken.set(who, taken + 1);
    return () => {
      const left = (this.#taken.get(who) ?? 1) - 1;
      if (left === 0) this.#taken.delete(who);
      else this.#taken.set(who, left);
    };
  }
}
