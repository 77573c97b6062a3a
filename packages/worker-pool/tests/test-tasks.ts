import { serveTasks } from "../src/thread/serve-tasks.ts";

/** An error with members, as callers get it. */
class RefusedError extends Error {
  override name = "RefusedError";
  readonly field: string;
  constructor(field: string) {
    super(`${field} is refused`);
    this.field = field;
  }
}

let shared = 0;

/** Tasks for tests: good ones and bad ones. */
export const testTasks = {
  double: (input: number) => input * 2,
  refuse: (field: string): never => {
    throw new RefusedError(field);
  },
  fail: (text: string): never => {
    throw Object.assign(new Error(text), { secret: () => "no function can be copied" });
  },
  /** How many tasks this thread ran. */
  count: () => ++shared,
  spin: (): never => {
    for (;;) shared += 1;
  },
  backtrack: (length: number) => /^(a+)+$/.test(`${"a".repeat(length)}b`),
  sleep: () => new Promise<never>(() => {}),
  hoard: (): never => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, Math.random));
  },
  leave: (code: number): never => process.exit(code),
  /** Waits until the flag that is shared with the test is 1. */
  wait: (flag: Int32Array) => Atomics.wait(flag, 0, 0),
};

serveTasks(testTasks);
