import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { claimDefaultPorts } from "../src/launcher/topology.ts";

describe("two platforms that start at the same moment", () => {
  it("do not both take the default ports", async () => {
    const claims = await Promise.all([claimDefaultPorts(), claimDefaultPorts()]);
    const held = claims.filter((claim) => claim !== undefined);
    expect(held.length).toBeLessThan(2);
    for (const claim of held) await once(claim.close(), "close");
  });
});
