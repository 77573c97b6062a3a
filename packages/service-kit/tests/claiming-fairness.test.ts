import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClaimingRig, Held, type Run } from "./claiming-rig.ts";

let rig: ClaimingRig;

beforeEach(async () => {
  rig = await ClaimingRig.open();
});
afterEach(() => rig[Symbol.asyncDispose]());

describe("an organisation with ten thousand items due", () => {
  it("does not keep another's single item waiting", async () => {
    await rig.parcels.add(10_000, "noisy");
    const [id = ""] = await rig.parcels.add(1, "quiet");
    await using _ = rig.start();
    await eventually(() => rig.isOver("quiet"));
    expect((await rig.parcels.get(id)).delivered_by).toHaveLength(1);
    expect(await rig.parcels.openOf("noisy")).toBeGreaterThan(9_000);
  });

  it("leaves room for others though nothing that it began ever ends, and so do two and three of its kind", async () => {
    const noisy = ["noisy-1", "noisy-2", "noisy-3"];
    for (const organisationId of noisy) await rig.parcels.add(1_000, organisationId);
    const held = new Held();
    const run: Run = async (claim, signal) => {
      if (claim.organisationId !== "quiet") return await held.run(claim, signal);
      await rig.parcels.deliver(claim.id, claim.holder);
    };
    await using _ = rig.start({ concurrency: 8, run });
    await eventually(() => noisy.every((each) => held.claims.some(({ organisationId }) => organisationId === each)));
    await rig.parcels.add(5, "quiet");
    await eventually(() => rig.isOver("quiet"));
    held.release();
  });
});
