import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandFacts } from "../src/control-commands/command-facts.ts";
import { projectedState, stateAfter } from "../src/control-commands/control-command.ts";
import { judgeCommand } from "../src/control-commands/judge-command.ts";
import {
  actions,
  type EntryKind,
  type JobEntry,
  type JobFacts,
  type RecordedCommand,
} from "../src/job-log/job-entry.ts";
import { foldEntry } from "../src/job-log/job-fold.ts";
import { activeSegmentIndex, initialJob, type JobSnapshot } from "../src/job-log/job-snapshot.ts";
import { isEnded, jobStates, mayReport } from "../src/job-log/job-state.ts";
import type { JobDeclaration } from "../src/runs/run.ts";
import { acknowledgementFacts } from "../src/trainers/acknowledgement.ts";
import { moveFacts } from "../src/trainers/report-job-state.ts";

const declaration: JobDeclaration = {
  name: "train",
  overrides: [],
  primaryMetric: { name: "accuracy", goal: "maximize" },
  stallTimeoutSeconds: 120,
  heartbeatTimeoutSeconds: 60,
  leaseExpiryPolicy: "keep",
  configuration: "{}",
};

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("command" as const), action: fc.constantFrom(...actions) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("acknowledge" as const), applied: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("report" as const), state: fc.constantFrom(...jobStates) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("checkpoint" as const), value: fc.double() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A log that grows by decisions, as the service makes them. */
class History {
  readonly entries: JobEntry[] = [];
  job: JobSnapshot = initialJob;

  take(step: Step): void {
    const at = new Date(this.entries.length * 1_000);
    const decided = this.#decide(step, at);
    if (!decided) return;
    const [kind, facts] = decided;
    const entry = { position: this.job.position + 1, kind, at, decision: `decision ${this.entries.length}`, facts };
    this.entries.push(entry);
    this.job = foldEntry(this.job, entry);
  }

  get commands(): RecordedCommand[] {
    return this.entries.flatMap(({ facts }) => facts.command ?? []);
  }

  #decide(step: Step, at: Date): [EntryKind, JobFacts] | undefined {
    const { job } = this;
    if (step.kind === "command") {
      const judgement = judgeCommand(
        job,
        declaration,
        { action: step.action, overrides: "{}", mayOverride: false },
        at,
      );
      const id = `command ${job.lastSequence + 1}`;
      const command = { id, action: step.action, overrides: "{}", idempotencyKey: id, fingerprint: id };
      return ["command", commandFacts(job, command, judgement, at)];
    }
    if (step.kind === "acknowledge") {
      const recorded = this.commands.find(({ sequence }) => sequence === job.pending.first?.sequence);
      if (!recorded) return undefined;
      const outcome = step.applied ? ({ status: "applied" } as const) : ({ status: "rejected", detail: "no" } as const);
      const given = { recorded, outcome, attachmentId: "trainer" };
      return ["command_acknowledged", acknowledgementFacts(job, declaration, given, at)];
    }
    if (step.kind === "report") {
      return mayReport(job.state, step.state) ? ["state_reported", moveFacts(job, step)] : undefined;
    }
    const metrics = [{ name: "accuracy", value: step.value }];
    const segmentIndex = activeSegmentIndex(job);
    const id = `checkpoint ${this.entries.length}`;
    const checkpoint = { id, step: this.entries.length, segmentIndex, metrics, uri: "", sha256: "", sizeBytes: 0 };
    return ["checkpoint_registered", { checkpoint: { ...checkpoint, createdAt: at } }];
  }
}

function historyOf(steps: Step[]): History {
  const history = new History();
  for (const step of steps) history.take(step);
  return history;
}

const histories = fc.array(step, { minLength: 1, maxLength: 80 }).map(historyOf);

describe("any history of a job", () => {
  it("numbers its commands from 1 without a gap", () => {
    fc.assert(
      fc.property(histories, ({ commands, job }) => {
        expect(commands.map(({ sequence }) => sequence)).toEqual(commands.map((_command, index) => index + 1));
        expect(job.lastSequence).toBe(commands.length);
      }),
    );
  });

  it("gives each command one outcome, or keeps it pending", () => {
    fc.assert(
      fc.property(histories, ({ entries, commands, job }) => {
        const decided = entries.flatMap(({ facts }) => (facts.resolutions ?? []).flatMap(({ sequences }) => sequences));
        const born = commands.filter(({ status }) => status !== "pending").map(({ sequence }) => sequence);
        const all = [...decided, ...born, ...job.pending.sequences()].sort((left, right) => left - right);
        expect(all).toEqual(commands.map(({ sequence }) => sequence));
      }),
    );
  });

  it("projects the state that the accepted commands lead to", () => {
    fc.assert(
      fc.property(histories, ({ job }) => {
        const projected = [...job.pending].reduce((_state, { action }) => stateAfter(action), job.state);
        expect(projectedState(job)).toBe(projected);
      }),
    );
  });

  it("says why, wherever it rejects or has nothing to do", () => {
    fc.assert(
      fc.property(histories, ({ entries, commands }) => {
        for (const command of commands) expect(command.status === "pending").toBe(command.detail === undefined);
        for (const { facts } of entries) {
          for (const { status, detail } of facts.resolutions ?? []) {
            if (status === "rejected") expect(detail).toBeTruthy();
          }
        }
      }),
    );
  });

  it("leaves nothing pending in a job that has just ended", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const history = new History();
        for (const step of steps) {
          const { state } = history.job;
          history.take(step);
          if (state !== history.job.state && isEnded(history.job.state)) expect(history.job.pending.size).toBe(0);
        }
      }),
    );
  });

  it("folds to the same whether at once or from a snapshot in between", () => {
    fc.assert(
      fc.property(histories, fc.nat(80), ({ entries, job }, cut) => {
        const between = entries.slice(0, cut).reduce(foldEntry, initialJob);
        const folded = entries.slice(cut).reduce(foldEntry, between);
        expect({ ...folded, pending: [...folded.pending] }).toEqual({ ...job, pending: [...job.pending] });
      }),
    );
  });

  it("opens segments one after the other, each continuing an earlier one", () => {
    fc.assert(
      fc.property(histories, ({ job }) => {
        expect(job.segments.map(({ index }) => index)).toEqual(job.segments.map((_segment, index) => index));
        for (const { index, parentIndex } of job.segments) {
          if (parentIndex !== undefined) expect(parentIndex).toBeLessThan(index);
        }
      }),
    );
  });
});

describe("folding", () => {
  it("refuses a gap", () => {
    const entry = { position: 2, kind: "command" as const, at: new Date(0), decision: "", facts: {} };
    expect(() => foldEntry(initialJob, entry)).toThrow(RangeError);
  });
});
