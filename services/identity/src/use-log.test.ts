import { describe, expect, it } from "@jest/globals";
import { createUseLog } from "./use-log.ts";

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const used = { id: "k", organisationId: "o", lastUsedAt: undefined };

/** A log, and what it has written. */
function startLog(fail = false) {
  const written: unknown[] = [];
  const failures: unknown[] = [];
  const log = createUseLog({
    write: async (...use) => {
      written.push(use);
      if (fail) throw new Error("away");
    },
    onFailure: (error) => failures.push(error),
  });
  return { log, written, failures };
}

describe("noting that something was used", () => {
  it("writes the start of the minute", async () => {
    const { log, written } = startLog();
    log.note(used, at("10:00:59.999"));
    await log.close();
    expect(written).toEqual([["o", "k", at("10:00:00")]]);
  });

  it.each([
    ["in the same minute", at("10:00:00"), 0],
    ["in the minute before", at("09:59:00"), 1],
    ["in a later one, by another clock", at("10:01:00"), 0],
  ])("writes no time twice: last used %s", async (_, lastUsedAt, writes) => {
    const { log, written } = startLog();
    log.note({ ...used, lastUsedAt }, at("10:00:30"));
    await log.close();
    expect(written).toHaveLength(writes);
  });

  it("writes once for many uses at once", async () => {
    const { log, written } = startLog();
    for (let use = 0; use < 100; use++) log.note(used, at("10:00:30"));
    await log.close();
    expect(written).toHaveLength(1);
  });

  it("reports what cannot be written, and tries again at the next use", async () => {
    const { log, written, failures } = startLog(true);
    for (let use = 0; use < 2; use++) {
      log.note(used, at("10:00:30"));
      await log.close();
    }
    expect([written.length, failures.length]).toEqual([2, 2]);
  });
});
