import { describe, expect, it } from "vitest";
import { sendWithKills } from "./killed-sending.ts";

const recipients = 1_000;
const wantedKills = 20;

describe("a draft to a thousand whose senders are killed again and again", () => {
  it("reaches each recipient at most once, and leaves no more in doubt than there were kills", async () => {
    const { kills, counts, arrived, duplicates } = await sendWithKills(recipients, wantedKills);
    expect({ kills, duplicates }).toEqual({ kills: wantedKills, duplicates: 0 });
    expect(counts.sent + counts.failed + counts.skipped + counts.unknown).toBe(recipients);
    expect(counts.unknown).toBeLessThanOrEqual(kills);
    expect(arrived).toBeGreaterThanOrEqual(counts.sent);
    expect(arrived).toBeLessThanOrEqual(counts.sent + counts.unknown);
    expect(counts).toMatchObject({ failed: 0, skipped: 0 });
  }, 300_000);
});
