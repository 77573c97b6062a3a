import { describe, expect, it } from "vitest";
import { lifecyclePhases, type PhaseName, type PhaseStatus } from "../metric-reports/report.ts";
import { currentPhaseOf, type LifecycleFacts, phasesOf } from "./lifecycle.ts";
import { PhaseClock } from "./phase-clock.ts";

const createdAt = 1_000;
const firstSeenAt = 5_000;
const now = 60_000;

type Changes = [status: PhaseStatus, at: number][];

function clockOf(changes: Changes): PhaseClock {
  const clock = new PhaseClock();
  for (const [status, at] of changes) clock.change(status, at, []);
  return clock;
}

function facts(o: Partial<Omit<LifecycleFacts, "phases">> & { phases?: [PhaseName, Changes][] } = {}): LifecycleFacts {
  const { phases = [], ...rest } = o;
  return {
    state: "running",
    phases: new Map(phases.map(([name, changes]) => [name, clockOf(changes)])),
    currentPhase: undefined,
    pauses: [],
    createdAt,
    firstSeenAt,
    endedAt: undefined,
    ...rest,
  };
}

function phaseOf(name: PhaseName, of: LifecycleFacts) {
  return phasesOf(of, now).find((phase) => phase.name === name);
}

describe("a job without reports", () => {
  const silent = facts({ firstSeenAt: undefined });

  it("is queued, whatever its state", () => {
    expect(currentPhaseOf(silent)).toBe("queued");
  });

  it("has every phase pending, in order, without a time", () => {
    const pending = { status: "pending", startedAt: undefined, finishedAt: undefined, elapsedMs: 0 };
    expect(phasesOf(silent, now)).toEqual(lifecyclePhases.map((name) => ({ name, ...pending })));
  });
});

describe("the current phase", () => {
  it("is the one its trainer reported, whatever the state", () => {
    expect(currentPhaseOf(facts({ currentPhase: "evaluating", state: "pausing" }))).toBe("evaluating");
  });

  it.each([
    ["queued", "queued"],
    ["preparing", "preparing"],
    ["running", "training"],
    ["held", "training"],
    ["pausing", "checkpointing"],
    ["paused", "training"],
    ["restoring", "preparing"],
    ["finishing", "finalizing"],
    ["aborting", "finalizing"],
    ["completed", "finalizing"],
    ["failed", "training"],
    ["aborted", "training"],
  ] as const)("of a job that is %s, whose trainer reports none, is %s", (state, phase) => {
    expect(currentPhaseOf(facts({ state }))).toBe(phase);
  });
});

describe("the queue", () => {
  const waitedFrom = { startedAt: createdAt, status: "completed" };

  it("was left at the first report, if its trainer says nothing of it", () => {
    expect(phaseOf("queued", facts())).toMatchObject({ ...waitedFrom, finishedAt: firstSeenAt, elapsedMs: 4_000 });
  });

  it("began when the run was created, if its trainer only says that it is over", () => {
    const reported = facts({ phases: [["queued", [["completed", 3_000]]]] });
    expect(phaseOf("queued", reported)).toMatchObject({ ...waitedFrom, finishedAt: 3_000, elapsedMs: 2_000 });
  });

  it("is as its trainer timed it, if it did", () => {
    const changes: Changes = [
      ["running", 2_000],
      ["completed", 3_000],
    ];
    const timed = phaseOf("queued", facts({ phases: [["queued", changes]] }));
    expect(timed).toMatchObject({ startedAt: 2_000, finishedAt: 3_000, elapsedMs: 1_000 });
  });

  it("has no beginning, if its trainer says that there was none", () => {
    const skipped = phaseOf("queued", facts({ phases: [["queued", [["skipped", 3_000]]]] }));
    expect(skipped).toMatchObject({ status: "skipped", startedAt: undefined, elapsedMs: 0 });
  });

  it("took no time when the clocks of service and trainer disagree", () => {
    const early = facts({ phases: [["queued", [["completed", createdAt - 500]]]] });
    expect(phaseOf("queued", early)?.elapsedMs).toBe(0);
  });
});

describe("a phase that its trainer never closed", () => {
  it.each([
    ["running", "running", "running"],
    ["running", "paused", "paused"],
    ["paused", "running", "paused"],
    ["paused", "paused", "paused"],
    ["completed", "running", "completed"],
    ["completed", "paused", "completed"],
    ["completed", "pending", "skipped"],
    ["failed", "running", "failed"],
    ["failed", "paused", "failed"],
    ["failed", "pending", "pending"],
    ["aborted", "running", "failed"],
    ["aborted", "paused", "failed"],
    ["aborted", "pending", "skipped"],
    ["failed", "completed", "completed"],
    ["completed", "failed", "failed"],
  ] as const)("of a job that is %s, last reported as %s, is %s", (state, reported, shown) => {
    const phases: [PhaseName, Changes][] = [["training", [[reported, 10_000]]]];
    expect(phaseOf("training", facts({ state, phases }))?.status).toBe(shown);
  });

  it("ends, and counts, until the job ended", () => {
    const phases: [PhaseName, Changes][] = [["training", [["running", 10_000]]]];
    const ended = facts({ state: "completed", endedAt: 30_000, phases });
    expect(phaseOf("training", ended)).toMatchObject({ finishedAt: 30_000, elapsedMs: 20_000 });
  });

  it("goes on while the job does, without its pauses", () => {
    const phases: [PhaseName, Changes][] = [["training", [["running", 10_000]]]];
    const going = facts({ phases, pauses: [{ from: 20_000, to: 25_000 }] });
    expect(phaseOf("training", going)).toMatchObject({ finishedAt: undefined, elapsedMs: 45_000 });
  });
});

describe("a phase that was never reported", () => {
  it.each([
    ["running", "pending"],
    ["failed", "pending"],
    ["completed", "skipped"],
    ["aborted", "skipped"],
  ] as const)("of a job that is %s is %s, without a time", (state, status) => {
    const untold = { status, startedAt: undefined, finishedAt: undefined, elapsedMs: 0 };
    expect(phaseOf("evaluating", facts({ state, endedAt: 30_000 }))).toMatchObject(untold);
  });
});
