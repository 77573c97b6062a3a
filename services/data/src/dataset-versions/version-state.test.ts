import { describe, expect, it } from "vitest";
import {
  assertMove,
  mayMove,
  referringStates,
  statesBefore,
  VersionMoveError,
  type VersionState,
  versionMoves,
} from "./version-state.ts";

const states: readonly VersionState[] = ["pending", "reading", "ready", "failed", "purging", "purged"];

const legal: ReadonlySet<string> = new Set([
  "pending > reading",
  "pending > purging",
  "reading > reading",
  "reading > ready",
  "reading > failed",
  "reading > purging",
  "ready > purging",
  "failed > purging",
  "purging > purging",
  "purging > purged",
]);

describe("a version in a state", () => {
  const moves = states.flatMap((from) => states.map((to) => ({ from, to, isLegal: legal.has(`${from} > ${to}`) })));

  it.each(moves)("that is $from may become $to: $isLegal", ({ from, to, isLegal }) => {
    expect(mayMove(from, to)).toBe(isLegal);
    if (isLegal) expect(() => assertMove(from, to)).not.toThrow();
    else expect(() => assertMove(from, to)).toThrow(VersionMoveError);
  });

  it("never leaves `purged`", () => {
    expect(versionMoves.purged).toEqual([]);
  });

  it("is purged only after it stopped referring to artifacts", () => {
    expect(statesBefore("purged")).toEqual(["purging"]);
    expect(referringStates).not.toContain("purging");
  });
});
