import { OpenGroup } from "./open-group.ts";
import { extremesOf, type Point, PointBuffer } from "./point-buffer.ts";

/** Points of one metric in one segment that are kept before neighbours are merged; a read never asks for more than 5,000. */
export const columnCapacity = 8192;
/** Newest points that stay exact after merging has begun, so that a reader who follows sees each one. */
export const exactTail = 2048;

/** Bytes of a column beside its points. */
const columnOverhead = 512;

export interface Extreme {
  readonly value: number;
  readonly step: number;
}

/**
 * One metric's points in one segment, in bounded memory however many there are.
 *
 * Up to `columnCapacity` each point is kept. From then on the points between the first and the newest stand in groups of
 * equal size of which the min and the max are kept; when the groups fill the room, neighbours merge and groups
 * double. So the extremes of any stretch survive at every size, and what is kept depends only on the points and their
 * order, never on how they were batched: a rebuilt column equals the one it replaces.
 */
export class PointColumn {
  /** Points ever added. */
  total = 0;
  /** When the newest point was taken, milliseconds since 1970. */
  newestAt = 0;
  lowest: Extreme | undefined;
  highest: Extreme | undefined;
  /** Points behind each kept pair; 2: every point is kept. */
  #stride = 2;
  #first: Point | undefined;
  #newest: Point | undefined;
  readonly #kept = new PointBuffer();
  readonly #open = new OpenGroup();
  #tail: PointBuffer | undefined;

  get newest(): Point | undefined {
    return this.#newest;
  }

  get bytes(): number {
    return columnOverhead + this.#kept.bytes + (this.#tail?.bytes ?? 0);
  }

  add(step: number, value: number, sequence: number): void {
    const previous = this.#newest;
    if (this.#first === undefined) this.#first = { step, value, sequence };
    else if (this.total > 1 && previous) this.#settle(previous);
    this.#newest = { step, value, sequence };
    this.total++;
    if (value < (this.lowest?.value ?? Number.POSITIVE_INFINITY)) this.lowest = { value, step };
    if (value > (this.highest?.value ?? Number.NEGATIVE_INFINITY)) this.highest = { value, step };
    this.#addToTail(step, value, sequence);
  }

  /**
   * Appends to `into` the kept points that are newer than `afterSequence`, oldest first, and returns whether those are
   * all there were.
   */
  collect(into: PointBuffer, afterSequence: number): boolean {
    if (!this.#newest || this.#newest.sequence <= afterSequence) return true;
    const tail = this.#tail;
    if (tail && (tail.sequences[0] ?? 0) <= afterSequence) {
      into.append(tail, tail.firstAfter(afterSequence));
      return true;
    }
    pushNewer(into, this.#first, afterSequence);
    into.append(this.#kept, this.#kept.firstAfter(afterSequence));
    for (const point of this.#open.points()) pushNewer(into, point, afterSequence);
    if (this.total > 1) pushNewer(into, this.#newest, afterSequence);
    return this.#stride === 2;
  }

  /** Stores a point that is not the first and is no longer the newest. */
  #settle(point: Point): void {
    const kept = this.#kept;
    if (this.#stride === 2) kept.push(point.step, point.value, point.sequence);
    else if (this.#open.add(point) === this.#stride) {
      for (const point of this.#open.points()) kept.push(point.step, point.value, point.sequence);
      this.#open.clear();
    }
    if (kept.size === columnCapacity) this.#merge();
  }

  #merge(): void {
    const kept = this.#kept;
    if (this.#stride === 2) {
      this.#tail = new PointBuffer(exactTail * 2);
      this.#tail.append(kept, kept.size - exactTail);
    }
    let size = 0;
    for (let from = 0; from < kept.size; from += 4) {
      for (const index of extremesOf(kept.values, from, from + 4)) {
        kept.steps[size] = kept.steps[index] ?? 0;
        kept.values[size] = kept.values[index] ?? 0;
        kept.sequences[size++] = kept.sequences[index] ?? 0;
      }
    }
    kept.size = size;
    this.#stride *= 2;
  }

  #addToTail(step: number, value: number, sequence: number): void {
    const tail = this.#tail;
    if (!tail) return;
    if (tail.size === exactTail * 2) tail.keepNewest(exactTail);
    tail.push(step, value, sequence);
  }
}

function pushNewer(into: PointBuffer, point: Point | undefined, afterSequence: number): void {
  if (point && point.sequence > afterSequence) into.push(point.step, point.value, point.sequence);
}
