import { describe, expect, it } from "vitest";
import {
  type Migration,
  type MigrationKind,
  MigrationOrderError,
  neededToServe,
  nextStep,
  schemaVersionOf,
} from "./migration.ts";

const rows = (...kinds: MigrationKind[]): Migration[] =>
  kinds.map((kind, index) => ({ version: index + 1, name: kind, kind, batch: async () => ({ documents: 0 }) }));

describe("the version of a schema", () => {
  it("is that of the last migration", () => {
    expect(schemaVersionOf([])).toBe(0);
    expect(schemaVersionOf(rows("backfill", "conversion"))).toBe(2);
  });

  it("has no gap and no repeat", () => {
    const [first, second] = rows("backfill", "backfill");
    if (!first || !second) throw new Error("there are two");
    expect(() => schemaVersionOf([second])).toThrow(MigrationOrderError);
    expect(() => schemaVersionOf([first, { ...second, version: 1 }])).toThrow(MigrationOrderError);
  });
});

describe("what a service waits for before it answers", () => {
  it.each<[MigrationKind[], number]>([
    [[], 0],
    [["backfill", "conversion"], 0],
    [["required_backfill", "backfill"], 1],
    [["backfill", "required_backfill", "conversion"], 2],
  ])("of %j is version %i", (kinds, version) => {
    expect(neededToServe(rows(...kinds))).toBe(version);
  });
});

describe("the next step of three migrations", () => {
  const migrations = rows("backfill", "conversion", "backfill");
  it.each<[string, { version: number; prepared: number; earlierRuns: boolean }, string | undefined]>([
    ["nothing is done, and nothing else runs", { version: 0, prepared: 0, earlierRuns: false }, "final 1"],
    ["nothing is done, and an earlier version runs", { version: 0, prepared: 0, earlierRuns: true }, "first 1"],
    ["a first pass is over, and an earlier version runs", { version: 0, prepared: 2, earlierRuns: true }, "first 3"],
    [
      "all first passes are over, and an earlier version runs",
      { version: 0, prepared: 3, earlierRuns: true },
      undefined,
    ],
    ["the earlier version has ended", { version: 0, prepared: 3, earlierRuns: false }, "final 1"],
    ["it has come back after some were complete", { version: 1, prepared: 1, earlierRuns: true }, "first 2"],
    ["all is complete", { version: 3, prepared: 3, earlierRuns: false }, undefined],
    ["a later version has completed more", { version: 4, prepared: 4, earlierRuns: false }, undefined],
  ])("when %s", (_when, { earlierRuns, ...state }, step) => {
    const next = nextStep(migrations, state, { earlierRuns });
    expect(next && `${next.pass} ${next.migration.version}`).toBe(step);
  });
});
