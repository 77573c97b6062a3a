import { describe, expect, it } from "vitest";
import { createLastUsedRecorder } from "./last-used-recorder.ts";

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const used = { id: "k", organisationId: "o", lastUsedAt: undefined };

/** A recorder, and what it has stored. */
function startRecorder(fail = false) {
  const written: unknown[] = [];
  const failures: unknown[] = [];
  const recorder = createLastUsedRecorder({
    write: async (...use) => {
      written.push(use);
      if (fail) throw new Error("away");
    },
    onFailure: (error) => failures.push(error),
  });
  return { recorder, written, failures };
}

describe("recording that something was used", () => {
  it("writes the start of the minute", async () => {
    const { recorder, written } = startRecorder();
    recorder.record(used, at("10:00:59.999"));
    await recorder.close();
    expect(written).toEqual([["o", "k", at("10:00:00")]]);
  });

  it.each([
    ["in the same minute", at("10:00:00"), 0],
    ["in the minute before", at("09:59:00"), 1],
    ["in a later one, by another clock", at("10:01:00"), 0],
  ])("writes no time twice: last used %s", async (_, lastUsedAt, writes) => {
    const { recorder, written } = startRecorder();
    recorder.record({ ...used, lastUsedAt }, at("10:00:30"));
    await recorder.close();
    expect(written).toHaveLength(writes);
  });

  it("writes once for many uses at once", async () => {
    const { recorder, written } = startRecorder();
    for (let use = 0; use < 100; use++) recorder.record(used, at("10:00:30"));
    await recorder.close();
    expect(written).toHaveLength(1);
  });

  it("reports what cannot be written, and tries again at the next use", async () => {
    const { recorder, written, failures } = startRecorder(true);
    for (let use = 0; use < 2; use++) {
      recorder.record(used, at("10:00:30"));
      await recorder.close();
    }
    expect([written.length, failures.length]).toEqual([2, 2]);
  });
});
