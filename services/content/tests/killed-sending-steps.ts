import { describe, expect, it } from "vitest";
import { sendWithKills } from "./killed-sending.ts";

/** What has to hold of a draft to so many whose senders are killed so often. */
export function describeKilledSending(recipients: number, wantedKills: number): void {
  describe(`a draft to ${recipients} whose senders are killed ${wantedKills} times`, () => {
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
}
