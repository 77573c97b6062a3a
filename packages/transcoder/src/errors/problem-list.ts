import { Fault } from "./fault.ts";

/** Where a value stands: `path`, `query`, `header` or `body`, then names and indexes. */
export type Location = readonly (string | number)[];

/** One entry of a 422 answer. */
export interface Problem {
  readonly type: string;
  readonly loc: Location;
  readonly msg: string;
  /** JSON text of what the request had there. */
  readonly input: string | undefined;
  /** JSON text of an object. */
  readonly ctx: string | undefined;
}

const tooMany = new Fault("too_many_errors", "Too many errors; the rest is not listed");
/** Most bytes of a list of problems: a refused megabyte must not be answered with a megabyte. */
export const maxListBytes = 256 * 1024;

/** Everything that is wrong with one request, in the order in which it was found. */
export class ProblemList {
  /** Where reading is; readers push and pop, and it is copied only when something is wrong. */
  readonly path: (string | number)[] = [];
  readonly #entries: Problem[] = [];
  readonly #limit: number;
  #refuses = false;

  /** Keeps at most `limit` problems, then one entry that says there are more. */
  constructor(limit = 100) {
    this.#limit = limit;
  }

  get entries(): readonly Problem[] {
    return this.#entries;
  }

  /**
   * The request is to be answered with these problems. Where all are {@link note noted}, its service is asked instead: it finds
   * them, too, and whatever else no reader can.
   */
  get refuses(): boolean {
    return this.#refuses || this.isFull;
  }

  /** Nothing further would be kept. */
  get isFull(): boolean {
    return this.#entries.length > this.#limit;
  }

  /** Notes a fault where reading is. */
  add(fault: Fault, input: string | undefined): void {
    this.addAt(fault, [...this.path], input);
  }

  addAt(fault: Fault, loc: Location, input: string | undefined): void {
    this.#refuses = true;
    this.note(fault, loc, input);
  }

  /** Notes what the service of the request refuses as well. */
  note(fault: Fault, loc: Location, input: string | undefined): void {
    if (this.isFull) return;
    const { type, msg, ctx } = this.#entries.length === this.#limit ? tooMany : fault;
    const isOverflow = type === tooMany.type;
    this.#entries.push({
      type,
      loc: isOverflow ? loc.slice(0, 1) : loc,
      msg,
      input: isOverflow ? undefined : input,
      ctx,
    });
  }

  /** Notes a fault of a part of the value where reading is. */
  addBelow(key: string | number, fault: Fault, input: string | undefined): void {
    this.addAt(fault, [...this.path, key], input);
  }
}

/** JSON text of a list of problems, of at most `maxBytes`. Every entry goes before any input: an input that has no room is left out. */
export function renderProblems(problems: readonly Problem[], maxBytes = maxListBytes): string {
  const bare = problems.map((problem) => renderProblem(problem, undefined));
  let left = maxBytes - 2;
  const listed = bare.filter((entry) => {
    left -= Buffer.byteLength(entry) + 1;
    return left >= 0;
  });
  const rendered = listed.map((entry, index) => {
    const problem = problems[index];
    // Counted only where it can fit: a list may quote the same megabyte a hundred times.
    if (problem?.input === undefined || problem.input.length > left) return entry;
    const bytes = Buffer.byteLength(problem.input) + inputBytes;
    if (bytes > left) return entry;
    left -= bytes;
    return renderProblem(problem, problem.input);
  });
  return `[${rendered.join(",")}]`;
}

const inputBytes = ',"input":'.length;

function renderProblem({ type, loc, msg, ctx }: Problem, input: string | undefined): string {
  const echo = input === undefined ? "" : `,"input":${input}`;
  const particulars = ctx === undefined ? "" : `,"ctx":${ctx}`;
  return `{"type":${JSON.stringify(type)},"loc":${JSON.stringify(loc)},"msg":${JSON.stringify(msg)}${echo}${particulars}}`;
}
