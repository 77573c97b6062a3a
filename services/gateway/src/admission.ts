import { ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface AdmissionLimits {
  /** Requests an organisation may make in a second. */
  requestsPerSecond: number;
  /** Requests of one organisation under way at once. */
  organisationConcurrency: number;
  /** Requests of everybody under way at once. */
  totalConcurrency: number;
}

/** Refuses work before it costs anything: RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
export interface Admission {
  /** Takes a place; the answer gives it back and is called exactly once, when the response has ended. */
  enter(organisationId: string): Promise<() => void>;
}

export function createAdmission(limits: AdmissionLimits): Admission {
  const rate = new RateLimiterMemory({ points: limits.requestsPerSecond, duration: 1 });
  const underWay = new Map<string, number>();
  let total = 0;

  return {
    async enter(organisationId) {
      if (total >= limits.totalConcurrency) throw refusal(Code.Unavailable, "OVERLOADED", overloaded);
      const own = underWay.get(organisationId) ?? 0;
      if (own >= limits.organisationConcurrency) throw refusal(Code.ResourceExhausted, "TOO_MANY_CONCURRENT", crowded);
      total += 1;
      underWay.set(organisationId, own + 1);
      const leave = () => {
        total -= 1;
        const left = (underWay.get(organisationId) ?? 1) - 1;
        if (left === 0) underWay.delete(organisationId);
        else underWay.set(organisationId, left);
      };
      try {
        await rate.consume(organisationId);
        return leave;
      } catch (reason) {
        leave();
        throw reason instanceof RateLimiterRes ? refusal(Code.ResourceExhausted, "RATE_LIMITED", hurried) : reason;
      }
    },
  };
}

const overloaded = "The platform is busy; try again in a moment";
const crowded = "Too many requests of your organisation are under way; wait for some to end";
const hurried = "Too many requests; slow down";

function refusal(code: Code, reason: string, text: string): ConnectError {
  return new ConnectError(text, code, undefined, [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: "aiplatform" }) },
    { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay: { seconds: 1n, nanos: 0 } }) },
  ]);
}
