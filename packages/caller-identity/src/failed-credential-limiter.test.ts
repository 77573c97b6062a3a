import { ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FailedCredentialLimiter } from "./failed-credential-limiter.ts";
import { rateLimitError } from "./rate-limit-error.ts";
import { SourceCounter, type SourceCounts } from "./source-counter.ts";

const bad = () => Promise.reject(new ConnectError("unknown", Code.Unauthenticated));
const good = () => Promise.resolve("caller");
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );

/** Outcomes of `times` attempts, one after the other. */
async function inTurn(times: number, attempt: () => Promise<unknown>): Promise<(string | undefined)[]> {
  const outcomes = [];
  for (let i = 0; i < times; i += 1) outcomes.push(await outcomeOf(attempt()));
  return outcomes;
}

const many = (outcome: string, times: number): string[] => Array(times).fill(outcome);

describe("a source that shows bad credentials", () => {
  it("gets nineteen attempts in a minute when the twentieth is the limit", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 20 });
    const outcomes = await inTurn(1_000, () => limit.attempt("a", bad));
    expect(outcomes).toEqual([...many("Unauthenticated", 19), ...many("ResourceExhausted", 981)]);
  });

  it("gets no more attempts when it sends all at once", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 20 });
    let tried = 0;
    const attempt = async () => {
      tried += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return bad();
    };
    const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => outcomeOf(limit.attempt("a", attempt))));
    expect(tried).toBe(19);
    expect(outcomes.filter((outcome) => outcome === "ResourceExhausted")).toHaveLength(981);
  });

  it("may not have more of them waiting than may be in flight at once", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 3, maxInFlight: 10 });
    let end = () => {};
    const held = new Promise<string>((resolve) => {
      end = () => resolve("caller");
    });
    const outcomes = Array.from({ length: 50 }, () => outcomeOf(limit.attempt("a", () => held)));
    for (let count = 0; count < 10; count += 1) await new Promise((resolve) => setImmediate(resolve));
    end();
    const all = await Promise.all(outcomes);
    expect(all.filter((outcome) => outcome === "OK")).toHaveLength(10);
    expect(all.filter((outcome) => outcome === "ResourceExhausted")).toHaveLength(40);
  });

  it("is told why, and when the minute ends", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 2 });
    await outcomeOf(limit.attempt("a", bad));
    const error = await limit.attempt("a", good).catch(ConnectError.from);
    if (!(error instanceof ConnectError)) throw new Error("was not refused");
    expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("TOO_MANY_FAILED_CREDENTIALS");
    expect(Number(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds)).toBe(60);
  });

  it("gets no attempt more when its failures are counted in a database, which takes a moment", async () => {
    const counts = new SourceCounter({ seconds: 60, sources: 10 });
    const moment = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    const failures: SourceCounts = {
      read: async (source) => {
        const count = await counts.read(source);
        await moment();
        return count;
      },
      add: async (source) => {
        await moment();
        return await counts.add(source);
      },
    };
    for (let round = 0; round < 50; round += 1) {
      const limit = new FailedCredentialLimiter({ perMinute: 5, failures });
      const all = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(limit.attempt(`${round}`, bad))));
      expect(all.filter((outcome) => outcome === "Unauthenticated")).toHaveLength(4);
    }
  });

  it("is not asked for again what identity rejects, until then", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 20 });
    let asked = 0;
    const rejected = () => {
      asked += 1;
      return Promise.reject(rateLimitError("TOO_MANY_FAILED_CREDENTIALS", { afterMs: 30_000 }));
    };
    expect(await inTurn(3, () => limit.attempt("a", rejected))).toEqual(many("ResourceExhausted", 3));
    expect(asked).toBe(1);
    expect(await outcomeOf(limit.attempt("b", good))).toBe("OK");
  });

  it("takes nothing from another", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 2 });
    await inTurn(5, () => limit.attempt("a", bad));
    expect(await outcomeOf(limit.attempt("b", bad))).toBe("Unauthenticated");
  });
});

describe("a source that shows good credentials", () => {
  it("is not counted, however many it shows at once", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 20 });
    const slowly = () => new Promise((resolve) => setImmediate(resolve));
    const outcomes = await Promise.all(Array.from({ length: 500 }, () => outcomeOf(limit.attempt("a", slowly))));
    expect(new Set(outcomes)).toEqual(new Set(["OK"]));
    expect(await inTurn(20, () => limit.attempt("a", bad))).toEqual([
      ...many("Unauthenticated", 19),
      "ResourceExhausted",
    ]);
  });

  it("is not counted for what else fails", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 2 });
    const away = () => Promise.reject(new ConnectError("away", Code.Unavailable));
    expect(await inTurn(5, () => limit.attempt("a", away))).toEqual(many("Unavailable", 5));
    expect(await outcomeOf(limit.attempt("a", good))).toBe("OK");
  });

  it("gives up when those before it get no answer", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 2, timeoutMs: 20 });
    const stuck = Promise.withResolvers<void>();
    const first = limit.attempt("a", () => stuck.promise);
    expect(await inTurn(2, () => limit.attempt("a", good))).toEqual(many("Unavailable", 2));
    stuck.resolve();
    await first;
    expect(await outcomeOf(limit.attempt("a", good))).toBe("OK");
  });
});

describe("after a minute", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("the source starts again", async () => {
    const limit = new FailedCredentialLimiter({ perMinute: 2 });
    await inTurn(2, () => limit.attempt("a", bad));
    vi.advanceTimersByTime(59_000);
    expect(await outcomeOf(limit.attempt("a", good))).toBe("ResourceExhausted");
    vi.advanceTimersByTime(1_001);
    expect(await outcomeOf(limit.attempt("a", good))).toBe("OK");
  });
});
