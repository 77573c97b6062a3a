import { type Point, pairOf } from "./point-buffer.ts";

/** The points of a group that is still being filled: of however many, the four that may be kept. */
export class OpenGroup {
  #count = 0;
  #first: Point | undefined;
  #last: Point | undefined;
  #low: Point | undefined;
  #high: Point | undefined;
  #lowPlace = -1;
  #highPlace = -1;

  /** Returns how many points the group has now. */
  add(point: Point): number {
    const place = this.#count++;
    this.#first ??= point;
    this.#last = point;
    if (this.#low ? point.value < this.#low.value : !Number.isNaN(point.value)) {
      this.#low = point;
      this.#lowPlace = place;
    }
    if (this.#high ? point.value > this.#high.value : !Number.isNaN(point.value)) {
      this.#high = point;
      this.#highPlace = place;
    }
    return this.#count;
  }

  /** Min and max in the order in which they came; fewer while there are fewer points. */
  points(): Point[] {
    if (!this.#first || !this.#last) return [];
    if (this.#count === 1) return [this.#first];
    return pairOf(this.#lowPlace, this.#highPlace, 0, this.#count - 1).flatMap((place) => this.#at(place) ?? []);
  }

  clear(): void {
    this.#count = 0;
    this.#first = this.#last = this.#low = this.#high = undefined;
    this.#lowPlace = this.#highPlace = -1;
  }

  #at(place: number): Point | undefined {
    if (place === this.#lowPlace) return this.#low;
    if (place === this.#highPlace) return this.#high;
    return place === 0 ? this.#first : this.#last;
  }
}
