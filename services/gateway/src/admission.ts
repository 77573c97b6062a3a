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
  /** Requests without a credential, to operations that ask for none, that one source may make in a minute. */
  publicPerMinute: number;
}

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface Admission {
  /** Takes a place; the answer gives it back and is called exactly once, when the response has ended. */
  enter(organisationId: string): Promise<() => void>;
  /** The same for a request that nobody vouches for, counted by where it comes from. */
  enterPublic(source: string): Promise<() => void>;
}

/** Sources of public requests that are remembered at most. */
const publicSources = 20_000;

export function createAdmission(limits: AdmissionLimits): Admission {
  const rate = new RateLimiterMemory({ points: limits.requestsPerSecond, duration: 1 });
  const publicRequests = new SourceCounter({ seconds: 60, sources: publicSources });
  const organisations = new Places(limits.organisationConcurrency);
  const platform = new Places(limits.totalConcurrency);

  const enterPlatform = () => {
    const leave = platform.take("");
    if (!leave) throw tryLater("OVERLOADED");
    return leave;
  };

  return {
    async enter(organisationId) {
      const leavePlatform = enterPlatform();
      const leaveOrganisation = organisations.take(organisationId);
      const leave = () => {
        leaveOrganisation?.();
        leavePlatform();
      };
      try {
        if (!leaveOrganisation) throw tryLater("TOO_MANY_CONCURRENT");
        await rate.consume(organisationId);
        return leave;
      } catch (reason) {
        leave();
        throw reason instanceof RateLimiterRes ? tryLater("RATE_LIMITED") : reason;
      }
    },
    async enterPublic(source) {
      const { times, endsInMs } = await publicRequests.add(source);
      if (times > limits.publicPerMinute) throw tryLater("RATE_LIMITED", endsInMs);
      return enterPlatform();
    },
  };
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
