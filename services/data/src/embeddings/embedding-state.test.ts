import { describe, expect, it } from "vitest";
import {
  type EmbeddingState,
  embeddingMoves,
  mayMove,
  openStates,
  referringStates,
  statesBefore,
} from "./embedding-state.ts";

const states: readonly EmbeddingState[] = ["pending", "embedding", "ready", "failed", "cancelled", "purging"];

const legal: ReadonlySet<string> = new Set([
  "pending > embedding",
  "pending > cancelled",
  "pending > purging",
  "embedding > embedding",
  "embedding > ready",
  "embedding > failed",
  "embedding > cancelled",
  "embedding > purging",
  "ready > purging",
  "failed > purging",
  "cancelled > purging",
]);

describe("an embedding in a state", () => {
  const moves = states.flatMap((from) => states.map((to) => ({ from, to, isLegal: legal.has(`${from} > ${to}`) })));

  it.each(moves)("that is $from may become $to: $isLegal", ({ from, to, isLegal }) => {
    expect(mayMove(from, to)).toBe(isLegal);
  });

  it("is ready only after rows were sent, and cancelled only before it is ready", () => {
    expect(statesBefore("ready")).toEqual(["embedding"]);
    expect(statesBefore("cancelled")).toEqual(openStates);
  });

  it("never leaves `purging`, in which it refers to nothing", () => {
    expect(embeddingMoves.purging).toEqual([]);
    expect(referringStates).toEqual(["ready"]);
  });
});
