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
    it("refuses everybody as unavailable", async () => {
      const admission = createAdmission({ ...generous, totalConcurrency: 1 });
      await admission.enter("a");
      expect(await codeOf(admission.enter("b"))).toBe(Code.Unavailable);
    });
  });

  describe("when an organisation exceeds its rate", () => {
    it("refuses and gives the place back", async () => {
      const admission = createAdmission({
        ...generous,
        requestsPerSecond: 1,
        organisationConcurrency: 1,
        totalConcurrency: 1,
      });
      (await admission.enter("a"))();
      expect(await codeOf(admission.enter("a"))).toBe(Code.ResourceExhausted);
      expect(await codeOf(admission.enter("b"))).toBeUndefined();
    });
  });

  describe("without a credential", () => {
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
