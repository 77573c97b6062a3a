import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { claimUsualPorts } from "../src/topology.ts";

describe("two platforms that start at the same moment", () => {
  it("do not both take the usual ports", async () => {
    const claims = await Promise.all([claimUsualPorts(), claimUsualPorts()]);
    const held = claims.filter((claim) => claim !== undefined);
    expect(held.length).toBeLessThan(2);
    for (const claim of held) await once(claim.close(), "close");
  });
});
