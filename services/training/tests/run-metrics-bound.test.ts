import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Columns of one point each. Names of metrics may be anything, `$` and dots too. */
function columns(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => ({ name: `$m.${from + index}`, steps: [1], values: [1] }));
}

describe("a job that has reported 2,000 different metrics", () => {
  it("may report those again, and no other, whichever replica is asked", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([
      metrics.batch([], { columns: columns(0, 1_000) }),
      metrics.batch([], { columns: columns(1_000, 1_999) }),
    ]);
    for (const replica of [0, 1]) {
      const batch = metrics.batch([], { columns: columns(1_998, 2_001) });
      const failure = await failureOf(metrics.report([batch], replica));
      expect(failure.code).toBe(Code.InvalidArgument);
      const [violation] = failure.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
      expect(violation).toMatchObject({ field: "columns[2].name", reason: "METRICS_TOO_MANY" });
      expect(violation?.description).toMatch(/at most 2000 different ones; report under a name/);
    }
    // What was refused took no place: one more metric still fits.
    await metrics.report([metrics.batch([], { columns: columns(1_999, 2_000) })], 1);
    const refused = await failureOf(metrics.report([metrics.batch([], { columns: columns(2_000, 2_001) })], 0));
    expect(refused.message).toContain("columns[0].name");
    await metrics.report([metrics.batch([], { columns: columns(0, 1_000) })]);
    expect(Object.keys(await metrics.series())).toHaveLength(2_000);
  });
});
