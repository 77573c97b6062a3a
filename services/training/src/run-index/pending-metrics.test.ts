import { describe, expect, it } from "vitest";
import { PendingMetrics } from "./pending-metrics.ts";

function reported(sequence: number, columns: Record<string, number[]>, { archived = false, runId = "r" } = {}) {
  const named = Object.entries(columns).map(([name, values]) => ({ name, values, steps: values, observedAtMs: 0 }));
  const report = { columns: named, phases: [], latestLog: undefined, heartbeat: undefined, resources: undefined };
  const place = { organisationId: "o", runId, jobName: "train", counter: sequence, sequence, segment: 0, archived };
  return { ...place, acceptedAt: new Date(0), report };
}

describe("the reports of a run that are not indexed", () => {
  it("are the last value of each metric, and the sequences that it is of", () => {
    const pending = new PendingMetrics();
    pending.add(reported(4, { loss: [3, 2], accuracy: [0.5] }));
    pending.add(reported(5, { loss: [1], empty: [] }));
    pending.add(reported(1, { loss: [9] }, { runId: "other" }));
    expect(pending.take()).toEqual([
      {
        organisationId: "o",
        runId: "r",
        from: 3,
        to: 5,
        latest: new Map([
          ["loss", 1],
          ["accuracy", 0.5],
        ]),
      },
      { organisationId: "o", runId: "other", from: 0, to: 1, latest: new Map([["loss", 9]]) },
    ]);
    expect(pending.take()).toEqual([]);
  });

  it("leave out what belongs to a segment that has ended", () => {
    const pending = new PendingMetrics();
    pending.add(reported(1, { loss: [1] }));
    pending.add(reported(2, { loss: [9] }, { archived: true }));
    expect(pending.take()).toMatchObject([{ from: 0, to: 2, latest: new Map([["loss", 1]]) }]);
  });

  it("are known to be incomplete when another replica stored one between them", () => {
    const pending = new PendingMetrics();
    pending.add(reported(1, { loss: [1] }));
    pending.add(reported(3, { loss: [2] }));
    pending.add(reported(4, { loss: [3] }));
    expect(pending.take()).toMatchObject([{ from: Number.POSITIVE_INFINITY, to: 4 }]);
  });
});
