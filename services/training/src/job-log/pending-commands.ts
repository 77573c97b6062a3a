import type { Action } from "./job-entry.ts";

/** A command without an outcome. The rest of it is in the log, at `position`. */
export interface PendingCommand {
  id: string;
  sequence: number;
  position: number;
  action: Action;
  checkpointId?: string;
  epoch: number;
  createdAt: Date;
}

/**
 * Pending commands by sequence, as an immutable value. Appending shares the storage with the value before, and so does
 * taking away the first ones: a job with a hundred thousand pending commands costs no more per command than one with ten.
 */
export class PendingCommands implements Iterable<PendingCommand> {
  static readonly none = new PendingCommands([], 0, 0);

  readonly #items: PendingCommand[];
  readonly #start: number;
  readonly #end: number;

  private constructor(items: PendingCommand[], start: number, end: number) {
    this.#items = items;
    this.#start = start;
    this.#end = end;
  }

  static of(commands: Iterable<PendingCommand>): PendingCommands {
    const items = [...commands];
    return new PendingCommands(items, 0, items.length);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  get first(): PendingCommand | undefined {
    return this.size > 0 ? this.#items[this.#start] : undefined;
  }

  get last(): PendingCommand | undefined {
    return this.size > 0 ? this.#items[this.#end - 1] : undefined;
  }

  /** With one more, of a higher sequence than all others. */
  append(command: PendingCommand): PendingCommands {
    // Only the newest value of a storage may append to it, and one that is mostly of the past is left behind.
    const shared = this.#items.length === this.#end && this.size > 0 && this.#start <= this.size + 1024;
    const items = shared ? this.#items : this.#items.slice(this.#start, this.#end);
    items.push(command);
    return new PendingCommands(items, shared ? this.#start : 0, items.length);
  }

  /** Without those of the given sequences. */
  without(sequences: readonly number[]): PendingCommands {
    const gone = new Set(sequences);
    let start = this.#start;
    while (start < this.#end && gone.delete(this.#items[start]?.sequence ?? 0)) start++;
    if (gone.size === 0 || start === this.#end) return this.#from(start);
    return PendingCommands.of([...this.#from(start)].filter((command) => !gone.has(command.sequence)));
  }

  /** The pending command of that sequence. */
  bySequence(sequence: number): PendingCommand | undefined {
    let low = this.#start;
    let high = this.#end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.sequence ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    const found = low < this.#end ? this.#items[low] : undefined;
    return found?.sequence === sequence ? found : undefined;
  }

  sequences(): number[] {
    return Array.from(this, (command) => command.sequence);
  }

  *[Symbol.iterator](): Iterator<PendingCommand> {
    for (let index = this.#start; index < this.#end; index++) {
      const command = this.#items[index];
      if (command) yield command;
    }
  }

  #from(start: number): PendingCommands {
    return start === this.#end ? PendingCommands.none : new PendingCommands(this.#items, start, this.#end);
  }
}
