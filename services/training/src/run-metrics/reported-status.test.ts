import { describe, expect, it } from "vitest";
import { jobStates } from "../job-log/job-state.ts";
import { type Liveness, reportedStatus } from "./reported-status.ts";

const signs: Liveness = {
  state: "running",
  stateSince: 0,
  lastSeenAt: 0,
  progressAt: 0,
  stallTimeoutSeconds: 120,
  heartbeatTimeoutSeconds: 60,
};

describe("the status of a job that is silent", () => {
  const aliveStates = ["preparing", "running", "held", "pausing", "restoring", "finishing", "aborting"];
  it.each(jobStates.map((state) => ({ state, status: aliveStates.includes(state) ? "lost" : state })))(
    "in state $state is $status",
    ({ state, status }) => {
      expect(reportedStatus({ ...signs, state }, 60_001).status).toBe(status);
      expect(reportedStatus({ ...signs, state }, 60_000).status).toBe(state);
    },
  );
});

describe("the status of a job that gets no further", () => {
  it("is stalled while it is alive", () => {
    expect(reportedStatus({ ...signs, lastSeenAt: 120_000 }, 120_001)).toEqual({ status: "stalled", until: 180_000 });
  });
  it("is its state while it has just entered it", () => {
    expect(reportedStatus({ ...signs, lastSeenAt: 120_000, stateSince: 60_000 }, 120_001)).toEqual({
      status: "running",
      until: 180_000,
    });
  });
  it("is not stalled where no progress is expected", () => {
    expect(reportedStatus({ ...signs, state: "held", lastSeenAt: 500_000 }, 500_001).status).toBe("held");
  });
});
