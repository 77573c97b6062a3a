import { describe, expect, it } from "vitest";
import { PoolClosedError, QueueFullError, type TaskLimit, WorkerPool, type WorkerPoolConfig } from "../src/index.ts";
import type { testTasks } from "./test-tasks.ts";

type TestTasks = typeof testTasks;

/** As in the program of the threads, which cannot be imported here: it serves tasks when it is loaded. */
class RefusedError extends Error {
  declare readonly field: string;
}

class ExceededError extends Error {}

const quick = { limitMs: 20_000, exceeded: (limit: TaskLimit) => new ExceededError(limit) };
const short = { ...quick, limitMs: 50 };

function poolOf(config: Partial<WorkerPoolConfig> = {}) {
  const warnings: object[] = [];
  const pool = new WorkerPool<TestTasks>({
    config: { WORKER_THREADS: 1, WORKER_QUEUE_LENGTH: 1_000, WORKER_MEMORY_MB: 64, ...config },
    program: new URL("./test-tasks.ts", import.meta.url),
    rules: {
      ...{ double: quick, refuse: quick, fail: quick, count: quick, leave: quick, wait: quick, hoard: quick },
      ...{ spin: short, backtrack: short, sleep: short },
    },
    errors: [RefusedError],
    logger: { warn: (facts: object) => warnings.push(facts) },
  });
  return Object.assign(pool, { warnings });
}

/** Occupies a thread, which runs already, until it is released. */
async function occupied(pool: WorkerPool<TestTasks>, organisationId: string) {
  await pool.run(organisationId, "count", undefined);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const over = pool.run(organisationId, "wait", flag);
  const release = () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    return over;
  };
  return { release };
}

describe("a task", () => {
  it("runs in a thread and answers", async () => {
    await using pool = poolOf();
    expect(await pool.run("a", "double", 21)).toBe(42);
  });

  it("rejects with the class and the members of an error that callers see", async () => {
    await using pool = poolOf();
    const failure = await pool.run("a", "refuse", "subject").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusedError);
    expect(failure).toMatchObject({ message: "subject is refused", field: "subject" });
  });

  it("rejects with the text alone of any other error", async () => {
    await using pool = poolOf();
    const failure = await pool.run("a", "fail", "broken").catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: "broken" });
    expect(failure).not.toHaveProperty("secret");
  });

  it("keeps its thread for the next one", async () => {
    await using pool = poolOf();
    expect([await pool.run("a", "count", undefined), await pool.run("b", "count", undefined)]).toEqual([1, 2]);
  });

  it("rejects when its input cannot be copied, and the next one runs", async () => {
    await using pool = poolOf();
    await expect(pool.run("a", "double", (() => 1) as never)).rejects.toThrow("could not be cloned");
    expect(await pool.run("a", "double", 1)).toBe(2);
  });
});

describe("a task over its limit", () => {
  it.each([
    ["runs for ever", "spin", "time"],
    ["backtracks for ever", "backtrack", "time"],
    ["waits for ever", "sleep", "time"],
    ["fills the memory", "hoard", "memory"],
  ] as const)("is ended with its thread: it %s", async (_, task, limit) => {
    await using pool = poolOf();
    await pool.run("a", "count", undefined);
    await expect(pool.run("a", task, 60 as never)).rejects.toThrow(new ExceededError(limit));
    expect(pool.warnings).toEqual([{ organisation_id: "a", task, outcome: `${limit}_limit` }]);
    // Another thread, which has counted nothing.
    expect(await pool.run("a", "count", undefined)).toBe(1);
  });

  it("ends no other task", async () => {
    await using pool = poolOf({ WORKER_THREADS: 2 });
    const other = await occupied(pool, "b");
    await expect(pool.run("a", "spin", undefined)).rejects.toThrow(ExceededError);
    expect(await other.release()).toBe("ok");
  });
});

describe("a thread that ends by itself", () => {
  it("fails its task, and the next one gets another thread", async () => {
    await using pool = poolOf();
    await expect(pool.run("a", "leave", 3)).rejects.toThrow("a worker thread ended");
    expect(await pool.run("a", "double", 1)).toBe(2);
  });
});

describe("a program that cannot be loaded", () => {
  it("fails each task once", async () => {
    await using pool = new WorkerPool<TestTasks>({
      config: { WORKER_THREADS: 2, WORKER_QUEUE_LENGTH: 10, WORKER_MEMORY_MB: 64 },
      program: new URL("./nowhere.ts", import.meta.url),
      rules: Object.fromEntries(["double"].map((name) => [name, quick])) as never,
      errors: [],
      logger: { warn: () => {} },
    });
    const runs = [1, 2, 3].map((input) => pool.run("a", "double", input));
    const outcomes = await Promise.allSettled(runs);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});

describe("a pool with one thread", () => {
  it("serves an organisation with one task after one task of another that has a hundred", async () => {
    await using pool = poolOf();
    const order: string[] = [];
    const first = await occupied(pool, "a");
    const note = (organisationId: string) => () => void order.push(organisationId);
    const many = Array.from({ length: 100 }, () => pool.run("a", "double", 1).then(note("a")));
    const few = Array.from({ length: 2 }, () => pool.run("b", "double", 1).then(note("b")));
    await first.release();
    await Promise.all([...many, ...few]);
    expect(order.slice(0, 5)).toEqual(["a", "b", "a", "b", "a"]);
    expect(order).toHaveLength(102);
  });
});

describe("a pool with two threads", () => {
  it("keeps one free for other organisations", async () => {
    await using pool = poolOf({ WORKER_THREADS: 2 });
    const first = await occupied(pool, "a");
    const second = pool.run("a", "double", 1);
    expect(await pool.run("b", "double", 1)).toBe(2);
    await first.release();
    expect(await second).toBe(2);
  });
});

describe("a full queue", () => {
  it("refuses more of that organisation, and nothing of another or in the background", async () => {
    await using pool = poolOf({ WORKER_QUEUE_LENGTH: 2 });
    const first = await occupied(pool, "a");
    const waiting = [pool.run("a", "double", 1), pool.run("a", "double", 2)];
    await expect(pool.run("a", "double", 3)).rejects.toThrow(QueueFullError);
    const others = [pool.run("b", "double", 4), pool.run("a", "double", 5, { isBackground: true })];
    await first.release();
    expect(await Promise.all([...waiting, ...others])).toEqual([2, 4, 8, 10]);
  });
});

describe("a pool that closes", () => {
  it("finishes what it was given, and takes nothing more", async () => {
    const pool = poolOf();
    const first = await occupied(pool, "a");
    const queued = pool.run("b", "double", 1);
    const closing = pool.close();
    await expect(pool.run("a", "double", 1)).rejects.toThrow(PoolClosedError);
    await first.release();
    expect(await queued).toBe(2);
    await closing;
  });

  it("does not wait longer than the limit of a task that never ends", async () => {
    const pool = poolOf();
    const endless = pool.run("a", "spin", undefined).catch((error: unknown) => error);
    await pool.close();
    expect(await endless).toBeInstanceOf(ExceededError);
  });
});
