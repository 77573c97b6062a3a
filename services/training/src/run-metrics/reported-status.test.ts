import { describe, expect, it } from "@jest/globals";
import { JOB_STATES } from "../jobs/job-state.ts";
import { reportedStatus, type SignsOfLife } from "./reported-status.ts";

const signs: SignsOfLife = {
  state: "running",
  stateSince: 0,
  heardAt: 0,
  progressAt: 0,
  stallTimeoutSeconds: 120,
  heartbeatTimeoutSeconds: 60,
};

describe("the status of a job that is silent", () => {
  const aliveStates = ["preparing", "running", "held", "pausing", "restoring", "finishing", "aborting"];
  it.each(JOB_STATES.map((state) => ({ state, status: aliveStates.includes(state) ? "lost" : state })))(
    "in state $state is $status",
    ({ state, status }) => {
      expect(reportedStatus({ ...signs, state }, 60_001).status).toBe(status);
      expect(reportedStatus({ ...signs, state }, 60_000).status).toBe(state);
    },
  );
});

describe("the status of a job that gets no further", () => {
  it("is stalled while it is alive", () => {
    expect(reportedStatus({ ...signs, heardAt: 120_000 }, 120_001)).toEqual({ status: "stalled", until: 180_000 });
  });
  it("is its state while it has just entered it", () => {
    expect(reportedStatus({ ...signs, heardAt: 120_000, stateSince: 60_000 }, 120_001)).toEqual({
      status: "running",
      until: 180_000,
    });
  });
  it("is not stalled where no progress is expected", () => {
    expect(reportedStatus({ ...signs, state: "held", heardAt: 500_000 }, 500_001).status).toBe("held");
  });
});
