/** Where a version stands. */
export type VersionState = "pending" | "reading" | "ready" | "failed" | "purging" | "purged";

/** What may follow on each state. Reading again is what a process does that goes on where another one was killed. */
export const versionMoves: Readonly<Record<VersionState, readonly VersionState[]>> = {
  pending: ["reading", "purging"],
  reading: ["reading", "ready", "failed", "purging"],
  ready: ["purging"],
  failed: ["purging"],
  purging: ["purging", "purged"],
  purged: [],
};

/** States in which a version refers to artifacts: none of them is removed. */
export const referringStates: readonly VersionState[] = ["pending", "reading", "ready", "failed"];

/** A version cannot go from one state to another. */
export class VersionMoveError extends Error {
  override name = "VersionMoveError";
  readonly from: VersionState;
  readonly to: VersionState;
  constructor(from: VersionState, to: VersionState) {
    super(`A version that is ${from} cannot become ${to}`);
    this.from = from;
    this.to = to;
  }
}

export function mayMove(from: VersionState, to: VersionState): boolean {
  return versionMoves[from].includes(to);
}

/** @throws VersionMoveError */
export function assertMove(from: VersionState, to: VersionState): void {
  if (!mayMove(from, to)) throw new VersionMoveError(from, to);
}

/** States from which a version may become `to`. */
export function statesBefore(to: VersionState): VersionState[] {
  return (Object.keys(versionMoves) as VersionState[]).filter((from) => mayMove(from, to));
}
