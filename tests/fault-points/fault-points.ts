/**
 * How a call fails. `before`: the connection breaks and the call is never delivered. `after`: it is delivered and has its effect,
 * and the connection breaks instead of the answer. `hang`: nothing comes back, and the call is delivered once its caller has
 * given up.
 */
export type FaultMode = "before" | "after" | "hang";

/** A fault that waits for its point to be reached. */
export class Fault {
  readonly point: string;
  readonly mode: FaultMode;
  /** How many calls in a row it hits. Two: the retry that a driver makes by itself is hit as well. */
  readonly times: number;
  #fired = 0;
  readonly #over = Promise.withResolvers<void>();

  constructor(point: string, mode: FaultMode, times = 1) {
    this.point = point;
    this.mode = mode;
    this.times = times;
  }

  /** Calls that it has hit. */
  get fired(): number {
    return this.#fired;
  }

  /** Resolves when nothing of it is still to come: a call that hung has been delivered. */
  get over(): Promise<void> {
    return this.#fired === 0 ? Promise.resolve() : this.#over.promise;
  }

  fire(): void {
    this.#fired += 1;
    if (this.mode !== "hang") this.#over.resolve();
  }

  /** To be called when a call that hung has been delivered. */
  delivered(): void {
    this.#over.resolve();
  }
}

/** The points that calls pass, each by its name, and the faults that wait at them. */
export class FaultPoints {
  readonly #seen = new Map<string, number>();
  readonly #armed = new Map<string, Fault>();

  /** Calls at each point since the last {@link forget}. */
  get seen(): ReadonlyMap<string, number> {
    return this.#seen;
  }

  forget(): void {
    this.#seen.clear();
  }

  arm(fault: Fault): void {
    if (this.#armed.has(fault.point)) throw new Error(`a fault waits at ${fault.point} already`);
    this.#armed.set(fault.point, fault);
  }

  disarm(fault: Fault): void {
    if (this.#armed.get(fault.point) === fault) this.#armed.delete(fault.point);
  }

  /** Counts a call, and answers the fault that it meets. */
  pass(point: string): Fault | undefined {
    this.#seen.set(point, (this.#seen.get(point) ?? 0) + 1);
    const fault = this.#armed.get(point);
    if (fault === undefined) return undefined;
    fault.fire();
    if (fault.fired >= fault.times) this.#armed.delete(point);
    return fault;
  }
}
