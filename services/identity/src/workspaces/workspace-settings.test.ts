import { describe, expect, it } from "vitest";
import {
  type GroupingStatus,
  GroupingTransitionError,
  initialSettings,
  isExhausted,
  type WorkspaceSettings,
  withChanges,
  withEnded,
  withLook,
  withProposal,
  withQueued,
  withStarted,
} from "./workspace-settings.ts";

const at = (ms: number) => new Date(ms);
const enabled = withChanges(initialSettings("acme", at(0)), { workspacesEnabled: true }, at(0));
const queued = withQueued(enabled, { id: "run", type: "manual" }, at(0));
const running = withStarted(queued, "rule 1", at(0));
const there: Readonly<Record<GroupingStatus, WorkspaceSettings>> = {
  idle: enabled,
  queued,
  running,
  succeeded: withEnded(running, undefined, at(0)),
  failed: withEnded(running, "no room", at(0)),
};

const happenings: Readonly<Record<string, (settings: WorkspaceSettings) => WorkspaceSettings>> = {
  "a run is queued": (settings) => withQueued(settings, { id: "next", type: "auto" }, at(1)),
  "the run begins": (settings) => withStarted(settings, "rule 1", at(1)),
  "the run succeeds": (settings) => withEnded(settings, undefined, at(1)),
  "the run fails": (settings) => withEnded(settings, "no room", at(1)),
  "a proposal is accepted": (settings) => withProposal(settings, "v1", at(1)),
};

describe("what becomes of grouping", () => {
  it.each([
    ["idle", "a run is queued", "queued"],
    ["idle", "the run begins", "refused"],
    ["idle", "the run succeeds", "refused"],
    ["idle", "the run fails", "refused"],
    ["idle", "a proposal is accepted", "succeeded"],
    ["queued", "a run is queued", "refused"],
    ["queued", "the run begins", "running"],
    ["queued", "the run succeeds", "refused"],
    ["queued", "the run fails", "refused"],
    ["queued", "a proposal is accepted", "succeeded"],
    ["running", "a run is queued", "refused"],
    ["running", "the run begins", "running"],
    ["running", "the run succeeds", "succeeded"],
    ["running", "the run fails", "failed"],
    ["running", "a proposal is accepted", "succeeded"],
    ["succeeded", "a run is queued", "queued"],
    ["succeeded", "the run begins", "refused"],
    ["succeeded", "the run succeeds", "refused"],
    ["succeeded", "the run fails", "refused"],
    ["succeeded", "a proposal is accepted", "succeeded"],
    ["failed", "a run is queued", "queued"],
    ["failed", "the run begins", "refused"],
    ["failed", "the run succeeds", "refused"],
    ["failed", "the run fails", "refused"],
    ["failed", "a proposal is accepted", "succeeded"],
  ] satisfies [GroupingStatus, string, GroupingStatus | "refused"][])("that is %s when %s: %s", (from, what, to) => {
    const happen = () => happenings[what]?.(there[from]);
    if (to === "refused") {
      expect(happen).toThrow(GroupingTransitionError);
      return;
    }
    const after = happen();
    expect(after?.groupingStatus).toBe(to);
    expect(after?.run !== undefined).toBe(to === "queued" || to === "running");
  });
});

describe("a run", () => {
  it("is due as soon as it is queued, and keeps its lease when it begins", () => {
    expect(queued.run).toMatchObject({ holder: undefined, dueAt: at(0) });
    const leased = { ...queued, run: queued.run && { ...queued.run, holder: "me", dueAt: at(30_000) } };
    expect(withStarted(leased, "rule 1", at(1)).run).toMatchObject({ holder: "me", dueAt: at(30_000), attempts: 1 });
  });

  it("is not begun for ever", () => {
    let settings = queued;
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(isExhausted(settings)).toBe(false);
      settings = withStarted(settings, "rule 1", at(attempt));
    }
    expect(isExhausted(settings)).toBe(true);
  });

  it("tells of itself only: its beginning forgets the end and the error of the one before", () => {
    const again = withStarted(withQueued(there.failed, { id: "next", type: "auto" }, at(1)), "rule 1", at(2));
    expect(again).toMatchObject({ lastGroupingRunType: "auto", lastGroupingStartedAt: at(2) });
    expect([again.lastGroupingCompletedAt, again.lastGroupingError]).toEqual([undefined, undefined]);
  });
});

describe("new assets", () => {
  it("are due when grouping by itself is switched on, and no more when it is switched off", () => {
    const on = withChanges(enabled, { autoGroupingEnabled: true }, at(5));
    expect(on.autoDueAt).toEqual(at(5));
    expect(withChanges(on, { autoGroupingEnabled: false }, at(6)).autoDueAt).toBeUndefined();
    expect(withChanges(on, { workspacesEnabled: false }, at(6)).autoDueAt).toBeUndefined();
  });

  it("are due again when a proposal drops the run that would have taken them", () => {
    const auto = withQueued(
      withChanges(enabled, { autoGroupingEnabled: true }, at(5)),
      { id: "r", type: "auto" },
      at(6),
    );
    expect(auto).toMatchObject({ autoDueAt: at(5_006), autoRechecks: 1 });
    expect(withProposal(auto, "v1", at(7)).autoDueAt).toEqual(at(2_007));
    expect(withProposal(queued, "v1", at(7)).autoDueAt).toBeUndefined();
  });

  it("are looked for again after 5 s and 65 s more, for transactions that were under way, and then no more", () => {
    const on = withChanges(enabled, { autoGroupingEnabled: true }, at(0));
    const first = withLook(on, at(0));
    const second = withLook(first, at(5_000));
    expect(first).toMatchObject({ autoDueAt: at(5_000), autoRechecks: 1 });
    expect(second).toMatchObject({ autoDueAt: at(70_000), autoRechecks: 2 });
    expect(withLook(second, at(70_000)).autoDueAt).toBeUndefined();
  });

  it("are looked for as before when a run is asked for between two looks", () => {
    const looked = withLook(withChanges(enabled, { autoGroupingEnabled: true }, at(0)), at(0));
    const asked = withQueued(looked, { id: "r", type: "manual" }, at(1));
    expect(asked).toMatchObject({ autoDueAt: at(5_000), autoRechecks: 1 });
  });

  it("are not looked for where grouping by itself is off", () => {
    expect(withLook(enabled, at(0)).autoDueAt).toBeUndefined();
    expect(queued.autoDueAt).toBeUndefined();
  });

  it("are due when a proposal enables workspaces and grouping by itself was wanted before", () => {
    const wanted = withChanges(initialSettings("acme", at(0)), { autoGroupingEnabled: true }, at(5));
    expect(wanted.autoDueAt).toBeUndefined();
    expect(withProposal(wanted, "v1", at(7)).autoDueAt).toEqual(at(2_007));
  });
});

describe("settings", () => {
  it("that are so already stay the same", () => {
    expect(withChanges(enabled, { workspacesEnabled: true }, at(9))).toBe(enabled);
    expect(withChanges(enabled, {}, at(9))).toBe(enabled);
  });
});
