import { describe, expect, it } from "vitest";
import { lookAgainMs } from "./look-again.ts";

const now = Date.parse("2026-03-02T09:00:00Z");
const version = (state: "pending" | "reading" | "ready" | "failed" | "purging" | "purged", secondsAgo: number) => ({
  state,
  updated_at: new Date(now - secondsAgo * 1_000).toISOString(),
});

describe("versions of a dataset", () => {
  it.each([
    ["there are none", [], false],
    ["all of them stay as they are", [version("ready", 1), version("failed", 1), version("purged", 1)], false],
    ["one has just been created", [version("pending", 0), version("ready", 90)], 1_000],
    ["one is read for a while", [version("reading", 50)], 5_000],
    ["one is purged for long", [version("purging", 3_600)], 10_000],
    ["the last one is on its way for a shorter time", [version("reading", 3_600), version("pending", 30)], 3_000],
    ["the clock of the browser is behind", [version("reading", -60)], 1_000],
  ] as const)("are read again after a while where %s", (_, versions, pause) => {
    expect(lookAgainMs(versions, now)).toBe(pause);
  });

  it("are waited for no longer because the page is rendered meanwhile", () => {
    const versions = [version("reading", 51)];
    expect(lookAgainMs(versions, now + 5_000)).toBe(lookAgainMs(versions, now));
  });
});
