import { offeredSandboxes, sandboxTiers } from "@aiplatform/serving-runtime/sandbox";
import { describe, expect, it } from "vitest";

const { sandboxes, reason } = await offeredSandboxes({});
const offered: readonly string[] = sandboxes.map(({ kind }) => kind);
const lacking = sandboxTiers.filter((tier) => !offered.includes(tier));

/** Every tier that this machine offers: each test of containment is done in all of them. */
export const tiersHere = sandboxes;

/** Says in the results in which tiers the tests of a file were done, and in which they could not be. */
export function describeTiers(): void {
  describe("the sandboxes of this machine", () => {
    it(`are ${offered.join(", ") || "none"}${lacking.length === 0 ? "" : `: ${reason}`}`, () => {
      const unexplained = lacking.filter((tier) => !reason.includes(`${tier}: `) && !reason.includes("no Python 3"));
      expect(unexplained).toEqual([]);
    });
  });
}
