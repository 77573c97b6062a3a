import { describe, expect, it } from "vitest";
import type { JobFacts, SegmentKind } from "./job-entry.ts";
import { foldEntry } from "./job-fold.ts";
import { initialJob, type JobSnapshot } from "./job-snapshot.ts";
import { overridesInForce } from "./overrides-in-force.ts";

const segment = (kind: SegmentKind, overrides = "{}", checkpointId?: string): JobFacts => ({
  segment: { index: 0, kind, startStep: 0, overrides, ...(checkpointId ? { checkpointId } : {}) },
});
const change = (overrides: string): JobFacts => ({ overrides });
const save = (id: string): JobFacts => ({
  checkpoint: {
    ...{ id, step: 0, segmentIndex: 0, metrics: [], uri: "", sha256: "", sizeBytes: 0 },
    createdAt: new Date(0),
  },
});
const jobAfter = (log: readonly JobFacts[]): JobSnapshot =>
  log.reduce((job, facts) => {
    const entry = { position: job.position + 1, kind: "command_acknowledged" as const, at: new Date(0), decision: "" };
    return foldEntry(job, { ...entry, facts });
  }, initialJob);

describe("the overrides in force", () => {
  it.each([
    { when: "no command has changed any", log: [segment("initial")], are: "{}" },
    { when: "a continue has changed one", log: [segment("initial"), change('{"rate": 0.1}')], are: '{"rate":0.1}' },
    {
      when: "several commands have: the newest value of each key",
      log: [segment("initial"), change('{"rate":1,"size":8}'), change('{"rate":0.10}'), change("{}")],
      are: '{"rate":0.10,"size":8}',
    },
    {
      when: "the job was paused and resumed: they stay",
      log: [segment("initial"), change('{"rate":1}'), save("a"), segment("resume", '{"devices":2}', "a")],
      are: '{"devices":2,"rate":1}',
    },
    {
      when: "it went back to a checkpoint from before the change",
      log: [segment("initial"), save("a"), change('{"rate":1}'), segment("rollback", "{}", "a")],
      are: "{}",
    },
    {
      when: "it went back to a checkpoint from after the change",
      log: [segment("initial"), change('{"rate":1}'), save("a"), change('{"rate":2}'), segment("rollback", "{}", "a")],
      are: '{"rate":1}',
    },
    {
      when: "it was restarted with others",
      log: [segment("initial"), change('{"rate":1}'), save("a"), segment("warm_restart", '{"size":8}', "a")],
      are: '{"rate":1,"size":8}',
    },
    {
      when: "it went back twice",
      log: [
        ...[segment("initial"), save("a"), segment("warm_restart", '{"rate":1}', "a"), save("b")],
        ...[segment("rollback", "{}", "a"), segment("rollback", "{}", "b")],
      ],
      are: '{"rate":1}',
    },
  ])("are $are when $when", ({ log, are }) => {
    expect(overridesInForce(jobAfter(log))).toBe(are);
  });

  it("take no more room by commands that change nothing", () => {
    const changes = Array.from({ length: 100 }, () => change('{"rate":1}'));
    expect(jobAfter([segment("initial"), ...changes]).overrides).toEqual([{ text: '{"rate":1}', checkpoints: 0 }]);
  });

  it("take no more room by changes that no checkpoint was saved under", () => {
    const changes = Array.from({ length: 100 }, (_, rate) => change(`{"rate":${rate}}`));
    const log = [segment("initial"), ...changes, save("a"), ...changes];
    expect(jobAfter(log).overrides).toEqual([
      { text: '{"rate":99}', checkpoints: 0 },
      { text: '{"rate":99}', checkpoints: 1 },
    ]);
    expect(overridesInForce(jobAfter([...log, segment("rollback", "{}", "a")]))).toBe('{"rate":99}');
  });
});
