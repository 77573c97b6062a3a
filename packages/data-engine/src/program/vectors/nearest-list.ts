/** A row, and how far it is. */
export interface Neighbour {
  readonly row: number;
  readonly distance: number;
}

/** The nearest rows of those that were offered; of two that are equally far, the first one. */
export class NearestList {
  readonly #limit: number;
  readonly #found: Neighbour[] = [];
  /** How far the last one is that still counts. */
  #bound = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#found.length;
  }

  offer(row: number, distance: number): void {
    // Also what is no number is not nearer.
    if (!(distance <= this.#bound)) return;
    let at = this.#found.length;
    for (; at > 0; at--) {
      const before = this.#found[at - 1];
      if (!before || before.distance < distance || (before.distance === distance && before.row < row)) break;
    }
    this.#found.splice(at, 0, { row, distance });
    if (this.#found.length > this.#limit) this.#found.pop();
    if (this.#found.length === this.#limit) this.#bound = this.#found.at(-1)?.distance ?? this.#bound;
  }

  /** The nearest first. */
  list(): readonly Neighbour[] {
    return this.#found;
  }
}
