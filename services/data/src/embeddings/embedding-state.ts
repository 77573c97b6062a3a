/** Where an embedding stands. One that is purged is gone, and has no state. */
export type EmbeddingState = "pending" | "embedding" | "ready" | "failed" | "cancelled" | "purging";

/** What may follow on each state. Embedding again is what a process does that goes on where another one was killed. */
export const embeddingMoves: Readonly<Record<EmbeddingState, readonly EmbeddingState[]>> = {
  pending: ["embedding", "cancelled", "purging"],
  embedding: ["embedding", "ready", "failed", "cancelled", "purging"],
  ready: ["purging"],
  failed: ["purging"],
  cancelled: ["purging"],
  purging: [],
};

/** States in which there is work. */
export const openStates: readonly EmbeddingState[] = ["pending", "embedding"];

/** States in which an embedding refers to the artifact of its vectors: it is not removed. */
export const referringStates: readonly EmbeddingState[] = ["ready"];

export function mayMove(from: EmbeddingState, to: EmbeddingState): boolean {
  return embeddingMoves[from].includes(to);
}

/** States from which an embedding may become `to`. */
export function statesBefore(to: EmbeddingState): EmbeddingState[] {
  return (Object.keys(embeddingMoves) as EmbeddingState[]).filter((from) => mayMove(from, to));
}
