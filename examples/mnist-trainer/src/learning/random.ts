/** Random numbers whose whole state is four words, so that it can be saved (xoshiro128**, seeded by splitmix32). */
export class Random {
  /** The state; assigning another generator's makes this one go on as that one would. */
  readonly state: Uint32Array;

  constructor(state: Uint32Array) {
    this.state = Uint32Array.from(state);
  }

  static seeded(seed: number): Random {
    let mixed = seed >>> 0;
    const words = Uint32Array.from({ length: 4 }, () => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return word ^ (word >>> 15);
    });
    return new Random(words);
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.state;
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    this.state[1] = b ^ third;
    this.state[0] = a ^ fourth;
    this.state[2] = third ^ (b << 9);
    this.state[3] = (fourth << 11) | (fourth >>> 21);
    return result;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  /** From -`bound` to `bound`. */
  around(bound: number): number {
    return (this.next() / 0x8000_0000 - 1) * bound;
  }

  shuffle(items: Uint32Array): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const moved = items[last] ?? 0;
      items[last] = items[other] ?? 0;
      items[other] = moved;
    }
  }
}
