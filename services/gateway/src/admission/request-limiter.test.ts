import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createRequestLimiter } from "./request-limiter.ts";

const generous = {
  requestsPerSecond: 1_000,
  organisationConcurrency: 100,
  totalConcurrency: 100,
  anonymousPerMinute: 1_000,
};

async function codeOf(attempt: Promise<unknown>): Promise<Code | undefined> {
  return attempt.then(
    () => undefined,
    (reason: unknown) => ConnectError.from(reason).code,
  );
}

describe("admitting a request", () => {
  describe("when the organisation holds all its permits", () => {
    it("refuses with the caller's own budget, and admits again once one has ended", async () => {
      const admission = createRequestLimiter({ ...generous, organisationConcurrency: 1 });
      const release = await admission.acquire("a", "prediction");
      expect(await codeOf(admission.acquire("a", "prediction"))).toBe(Code.ResourceExhausted);
      release();
      expect(await codeOf(admission.acquire("a", "prediction"))).toBeUndefined();
    });

    it("still admits another organisation", async () => {
      const admission = createRequestLimiter({ ...generous, organisationConcurrency: 1 });
      await admission.acquire("a", "prediction");
      expect(await codeOf(admission.acquire("b", "prediction"))).toBeUndefined();
    });
  });

  describe("when the whole platform is full", () => {
    it("refuses an organisation that has its share as unavailable, and admits one that has less", async () => {
      const admission = createRequestLimiter({ ...generous, totalConcurrency: 2 });
      await admission.acquire("a", "prediction");
      await admission.acquire("a", "prediction");
      expect(await codeOf(admission.acquire("a", "prediction"))).toBe(Code.Unavailable);
      expect(await codeOf(admission.acquire("b", "prediction"))).toBeUndefined();
      expect(await codeOf(admission.acquire("b", "prediction"))).toBe(Code.Unavailable);
    });

    it("foresees it for work, and not for streams", async () => {
      const admission = createRequestLimiter({ ...generous, totalConcurrency: 1 });
      await admission.acquire("a", "prediction");
      expect(admission.preview.isRefusing).toBe(true);
      expect(admission.preview.whyRefused("a", "prediction")).toBe("total");
      expect(admission.preview.whyRefused("a", "watch")).toBeUndefined();
    });
  });

  describe("when a service has as many calls as it can do in time", () => {
    const calls = { initial: 4, min: 4, max: 4, slackMs: 100 };
    const call = { upstream: "training", operation: "GET /runs" } as const;

    it("refuses as unavailable, whosever calls they are: how much a service does is ours", async () => {
      const shed: string[] = [];
      const admission = createRequestLimiter({ ...generous, organisationConcurrency: 1, calls }, (reason) =>
        shed.push(reason),
      );
      const leaves = await Promise.all(Array.from({ length: 4 }, () => admission.acquire("a", call)));
      expect(await codeOf(admission.acquire("a", call))).toBe(Code.Unavailable);
      expect(shed).toEqual(["calls"]);
      leaves[0]?.();
      expect(await codeOf(admission.acquire("a", call))).toBeUndefined();
    });

    it("admits an organisation that has less than its share of them", async () => {
      const admission = createRequestLimiter({ ...generous, calls });
      for (let count = 0; count < 4; count += 1) await admission.acquire("noisy", call);
      expect(await codeOf(admission.acquire("noisy", call))).toBe(Code.Unavailable);
      expect(await codeOf(admission.acquire("quiet", call))).toBeUndefined();
    });

    it("admits calls of other services, and what waits for no service", async () => {
      const admission = createRequestLimiter({ ...generous, calls });
      for (let count = 0; count < 4; count += 1) await admission.acquire("a", call);
      expect(await codeOf(admission.acquire("a", { ...call, upstream: "content" }))).toBeUndefined();
      expect(await codeOf(admission.acquire("a", "prediction"))).toBeUndefined();
    });

    it("takes no permit of the platform for what it refuses", async () => {
      const admission = createRequestLimiter({ ...generous, totalConcurrency: 5, calls });
      for (let count = 0; count < 4; count += 1) await admission.acquire("a", call);
      for (let count = 0; count < 9; count += 1) await codeOf(admission.acquire("a", call));
      expect(await codeOf(admission.acquire("a", "prediction"))).toBeUndefined();
    });
  });

  describe("when an organisation exceeds its rate", () => {
    it("refuses without taking a permit", async () => {
      const admission = createRequestLimiter({
        ...generous,
        requestsPerSecond: 1,
        organisationConcurrency: 1,
        totalConcurrency: 1,
      });
      // In one tick: on a busy machine a second is over soon.
      const [first, second] = [admission.acquire("a", "prediction"), admission.acquire("a", "prediction")];
      expect(await codeOf(second)).toBe(Code.ResourceExhausted);
      (await first)();
      expect(await codeOf(admission.acquire("b", "prediction"))).toBeUndefined();
    });
  });

  describe("when it refuses for a reason of its own", () => {
    const calls = { initial: 1, min: 1, max: 1, slackMs: 100 };
    const call = { upstream: "training", operation: "GET /runs" } as const;

    it("charges nothing to the organisation's rate", async () => {
      const admission = createRequestLimiter({ ...generous, calls });
      await admission.acquire("a", call);
      for (let count = 0; count < 50; count += 1) await codeOf(admission.acquire("a", call));
      expect(admission.preview.stateOf("a").remaining).toBeGreaterThanOrEqual(generous.requestsPerSecond - 1);
      const full = createRequestLimiter({ ...generous, totalConcurrency: 1 });
      await full.acquire("a", "prediction");
      for (let count = 0; count < 50; count += 1) await codeOf(full.acquire("a", "prediction"));
      expect(full.preview.stateOf("a").remaining).toBeGreaterThanOrEqual(generous.requestsPerSecond - 1);
    });

    it("charges nothing for what a service that is away could not do", async () => {
      const admission = createRequestLimiter(generous);
      for (let count = 0; count < 50; count += 1) (await admission.acquire("a", call))(true);
      expect(admission.preview.stateOf("a").remaining).toBe(generous.requestsPerSecond);
    });

    it("foresees it, and foresees nothing for an organisation below its share", async () => {
      const admission = createRequestLimiter({ ...generous, calls });
      expect(admission.preview.isRefusing).toBe(false);
      await admission.acquire("a", call);
      expect(admission.preview.isRefusing).toBe(true);
      expect(["a", "b"].map((who) => admission.preview.whyRefused(who, call))).toEqual(["calls", undefined]);
      expect(admission.preview.whyRefused("a", { ...call, upstream: "content" })).toBeUndefined();
    });
  });

  describe("without a credential", () => {
    it("lets a source have only so many under way at once, and another as many", async () => {
      const admission = createRequestLimiter({ ...generous, anonymousConcurrency: 1 });
      const release = await admission.acquireAnonymous("a", "prediction");
      expect(await codeOf(admission.acquireAnonymous("a", "prediction"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.acquireAnonymous("b", "prediction"))).toBeUndefined();
      release();
      expect(await codeOf(admission.acquireAnonymous("a", "prediction"))).toBeUndefined();
    });

    it("refuses a source beyond its budget of a minute, and no other", async () => {
      const admission = createRequestLimiter({ ...generous, anonymousPerMinute: 2 });
      (await admission.acquireAnonymous("a", "prediction"))();
      (await admission.acquireAnonymous("a", "prediction"))();
      expect(await codeOf(admission.acquireAnonymous("a", "prediction"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.acquireAnonymous("b", "prediction"))).toBeUndefined();
    });

    it("counts what is refused with what is not", async () => {
      const admission = createRequestLimiter({ ...generous, anonymousPerMinute: 1 });
      await admission.countAnonymous("a");
      expect(await codeOf(admission.acquireAnonymous("a", "prediction"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.countAnonymous("a"))).toBe(Code.ResourceExhausted);
    });

    it("takes a permit of the platform, as one organisation would", async () => {
      const admission = createRequestLimiter({ ...generous, totalConcurrency: 1 });
      const release = await admission.acquireAnonymous("a", "prediction");
      expect(await codeOf(admission.acquireAnonymous("b", "prediction"))).toBe(Code.Unavailable);
      expect(await codeOf(admission.acquire("o", "prediction"))).toBeUndefined();
      release();
    });
  });

  describe("when all streams there may be are open", () => {
    const full = { ...generous, organisationStreams: 2, totalStreams: 2 };

    it("admits work of every kind", async () => {
      const admission = createRequestLimiter(full);
      await admission.acquire("a", "watch");
      await admission.acquire("b", "watch");
      const call = { upstream: "training", operation: "POST /commands" } as const;
      for (const demand of ["prediction", call] as const)
        expect(await codeOf(admission.acquire("a", demand))).toBeUndefined();
      expect(admission.preview.isRefusing).toBe(false);
    });

    it("admits a work stream of an organisation whose watchers have all of its places", async () => {
      const admission = createRequestLimiter(full);
      await admission.acquire("a", "watch");
      await admission.acquire("a", "watch");
      expect(await codeOf(admission.acquire("a", "watch"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.acquire("b", "watch"))).toBeUndefined();
      expect(await codeOf(admission.acquire("b", "watch"))).toBe(Code.Unavailable);
      expect(await codeOf(admission.acquire("a", "work_stream"))).toBeUndefined();
    });
  });
});
