import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "@jest/globals";
import { createAdmission } from "./admission.ts";

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
  describe("when the organisation has all its places taken", () => {
    it("refuses with the caller's own budget, and admits again once one has ended", async () => {
      const admission = createAdmission({ ...generous, organisationConcurrency: 1 });
      const leave = await admission.enter("a");
      expect(await codeOf(admission.enter("a"))).toBe(Code.ResourceExhausted);
      leave();
      expect(await codeOf(admission.enter("a"))).toBeUndefined();
    });

    it("still admits another organisation", async () => {
      const admission = createAdmission({ ...generous, organisationConcurrency: 1 });
      await admission.enter("a");
      expect(await codeOf(admission.enter("b"))).toBeUndefined();
    });
  });

  describe("when the whole platform is full", () => {
    it("refuses every caller as unavailable", async () => {
      const admission = createAdmission({ ...generous, totalConcurrency: 1 });
      await admission.enter("a");
      expect(await codeOf(admission.enter("b"))).toBe(Code.Unavailable);
    });
  });

  describe("when a service has as many calls as it can do in time", () => {
    const calls = { initial: 4, min: 4, max: 4, slackMs: 100 };
    const call = { owner: "training", operation: "GET /runs" } as const;

    it("refuses as unavailable, whosever calls they are: how much a service does is ours", async () => {
      const shed: string[] = [];
      const admission = createAdmission({ ...generous, organisationConcurrency: 1, calls }, (reason) =>
        shed.push(reason),
      );
      const leaves = await Promise.all(Array.from({ length: 4 }, () => admission.enter("a", undefined, call)));
      expect(await codeOf(admission.enter("a", undefined, call))).toBe(Code.Unavailable);
      expect(shed).toEqual(["calls"]);
      leaves[0]?.();
      expect(await codeOf(admission.enter("a", undefined, call))).toBeUndefined();
    });

    it("admits an organisation that has less than its share of them", async () => {
      const admission = createAdmission({ ...generous, calls });
      for (let count = 0; count < 4; count += 1) await admission.enter("noisy", undefined, call);
      expect(await codeOf(admission.enter("noisy", undefined, call))).toBe(Code.Unavailable);
      expect(await codeOf(admission.enter("quiet", undefined, call))).toBeUndefined();
    });

    it("admits calls of other services, and what waits for no service", async () => {
      const admission = createAdmission({ ...generous, calls });
      for (let count = 0; count < 4; count += 1) await admission.enter("a", undefined, call);
      expect(await codeOf(admission.enter("a", undefined, { ...call, owner: "content" }))).toBeUndefined();
      expect(await codeOf(admission.enter("a"))).toBeUndefined();
    });

    it("takes no place of the platform for what it refuses", async () => {
      const admission = createAdmission({ ...generous, totalConcurrency: 5, calls });
      for (let count = 0; count < 4; count += 1) await admission.enter("a", undefined, call);
      for (let count = 0; count < 9; count += 1) await codeOf(admission.enter("a", undefined, call));
      expect(await codeOf(admission.enter("a"))).toBeUndefined();
    });
  });

  describe("when an organisation exceeds its rate", () => {
    it("refuses without taking a place", async () => {
      const admission = createAdmission({
        ...generous,
        requestsPerSecond: 1,
        organisationConcurrency: 1,
        totalConcurrency: 1,
      });
      // In one tick: on a busy machine a second is over soon.
      const [first, second] = [admission.enter("a"), admission.enter("a")];
      expect(await codeOf(second)).toBe(Code.ResourceExhausted);
      (await first)();
      expect(await codeOf(admission.enter("b"))).toBeUndefined();
    });
  });

  describe("when it refuses for a reason of its own", () => {
    const calls = { initial: 1, min: 1, max: 1, slackMs: 100 };
    const call = { owner: "training", operation: "GET /runs" } as const;

    it("charges nothing to the organisation's rate", async () => {
      const admission = createAdmission({ ...generous, calls });
      await admission.enter("a", undefined, call);
      for (let count = 0; count < 50; count += 1) await codeOf(admission.enter("a", undefined, call));
      expect(admission.budgetOf("a").remaining).toBeGreaterThanOrEqual(generous.requestsPerSecond - 1);
      const full = createAdmission({ ...generous, totalConcurrency: 1 });
      await full.enter("a");
      for (let count = 0; count < 50; count += 1) await codeOf(full.enter("a"));
      expect(full.budgetOf("a").remaining).toBeGreaterThanOrEqual(generous.requestsPerSecond - 1);
    });

    it("charges nothing for what a service that is away could not do", async () => {
      const admission = createAdmission(generous);
      for (let count = 0; count < 50; count += 1) (await admission.enter("a", undefined, call))(true);
      expect(admission.budgetOf("a").remaining).toBe(generous.requestsPerSecond);
    });

    it("foresees it, and foresees nothing for an organisation below its share", async () => {
      const admission = createAdmission({ ...generous, calls });
      expect(admission.isRefusing).toBe(false);
      await admission.enter("a", undefined, call);
      expect(admission.isRefusing).toBe(true);
      expect(["a", "b"].map((who) => admission.foresee(who, "training"))).toEqual(["calls", undefined]);
      expect(admission.foresee("a", "content")).toBeUndefined();
    });
  });

  describe("without a credential", () => {
    it("lets a source have only so many under way at once, and another as many", async () => {
      const admission = createAdmission({ ...generous, anonymousConcurrency: 1 });
      const leave = await admission.enterAnonymous("a");
      expect(await codeOf(admission.enterAnonymous("a"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.enterAnonymous("b"))).toBeUndefined();
      leave();
      expect(await codeOf(admission.enterAnonymous("a"))).toBeUndefined();
    });

    it("refuses a source beyond its budget of a minute, and no other", async () => {
      const admission = createAdmission({ ...generous, anonymousPerMinute: 2 });
      (await admission.enterAnonymous("a"))();
      (await admission.enterAnonymous("a"))();
      expect(await codeOf(admission.enterAnonymous("a"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.enterAnonymous("b"))).toBeUndefined();
    });

    it("counts what is refused with what is not", async () => {
      const admission = createAdmission({ ...generous, anonymousPerMinute: 1 });
      await admission.countAnonymous("a");
      expect(await codeOf(admission.enterAnonymous("a"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.countAnonymous("a"))).toBe(Code.ResourceExhausted);
    });

    it("takes a place of the platform", async () => {
      const admission = createAdmission({ ...generous, totalConcurrency: 1 });
      const leave = await admission.enterAnonymous("a");
      expect(await codeOf(admission.enter("o"))).toBe(Code.Unavailable);
      leave();
      expect(await codeOf(admission.enter("o"))).toBeUndefined();
    });
  });
});
