import { describe, expect, it } from "vitest";
import { EntryQueue, type QueuedEntry } from "./entry-queue.ts";

/** `published` as the document has it: false while its events wait, undefined where it has none. */
function entry(job: string, position: number, published?: boolean): QueuedEntry {
  return { key: `${job}:${position}`, job, position, published };
}

const stored = (job: string, ...positions: number[]) => positions.map((position) => entry(job, position, false));
const keysOf = (entries: readonly QueuedEntry[]) => entries.map(({ key }) => key);

/** A queue after its first look, which has found nothing. */
function lookedThrough(options?: ConstructorParameters<typeof EntryQueue>[0]): EntryQueue<QueuedEntry> {
  const queue = new EntryQueue<QueuedEntry>(options);
  queue.lookEnded(queue.lookBegins());
  return queue;
}

function add(queue: EntryQueue<QueuedEntry>, ...entries: QueuedEntry[]): void {
  for (const each of entries) queue.add(each);
}

describe("a queue of entries", () => {
  it("needs a look when it is new", () => {
    expect(new EntryQueue().needsLook).toBe(true);
  });

  it("hands out a job's entries from its first one on, without a look", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 1, 2), ...stored("b", 1), ...stored("a", 3));
    expect(queue.needsLook).toBe(false);
    expect(keysOf(queue.take(3))).toEqual(["a:1", "a:2", "b:1"]);
    expect(keysOf(queue.take(3))).toEqual(["a:3"]);
  });

  it("passes over entries without events", () => {
    const queue = lookedThrough();
    add(queue, entry("a", 1), entry("a", 2, false), entry("a", 3), entry("a", 4, false));
    expect(keysOf(queue.take(10))).toEqual(["a:2", "a:4"]);
  });

  it("goes on behind an entry that was read as published", () => {
    const queue = lookedThrough();
    add(queue, entry("a", 7), entry("a", 8, true), entry("a", 9), entry("a", 10, false));
    expect(queue.needsLook).toBe(false);
    expect(keysOf(queue.take(10))).toEqual(["a:10"]);
  });

  it("takes an entry in once, however often it is read", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 1, 2), ...stored("a", 1, 2));
    expect(keysOf(queue.take(10))).toEqual(["a:1", "a:2"]);
  });

  it("takes everything as published that was durable when a look began", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 5, 6));
    expect(queue.take(10)).toEqual([]);
    expect(queue.needsLook).toBe(true);
    const look = queue.lookBegins();
    add(queue, ...stored("a", 7));
    queue.published(look, entry("a", 5));
    queue.lookEnded(look);
    add(queue, ...stored("a", 8));
    expect(keysOf(queue.take(10))).toEqual(["a:6", "a:7", "a:8"]);
    expect(queue.needsLook).toBe(false);
  });
});

describe("an entry behind a gap, which another replica has written", () => {
  it("waits for a look that began after it", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 1));
    expect(keysOf(queue.take(1))).toEqual(["a:1"]);
    const early = queue.lookBegins();
    add(queue, ...stored("a", 3, 4));
    queue.lookEnded(early);
    expect(queue.take(10)).toEqual([]);
    expect(queue.needsLook).toBe(true);
    const late = queue.lookBegins();
    for (const position of [2, 3, 4]) queue.published(late, entry("a", position));
    queue.lookEnded(late);
    add(queue, ...stored("a", 5));
    expect(keysOf(queue.take(10))).toEqual(["a:5"]);
  });

  it("is not handed out where the look has found it published by another", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 3, 4));
    const look = queue.lookBegins();
    queue.lookEnded(look);
    expect(keysOf(queue.take(10))).toEqual(["a:4"]);
  });

  it("is not handed out again when the look has published it, nor what waited before the gap", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 1, 2), ...stored("a", 4));
    const look = queue.lookBegins();
    for (const position of [1, 2, 3, 4]) queue.published(look, entry("a", position));
    queue.lookEnded(look);
    expect(queue.take(10)).toEqual([]);
  });

  it("leaves the other jobs alone", () => {
    const queue = lookedThrough();
    add(queue, ...stored("a", 1), ...stored("b", 9), ...stored("a", 2));
    expect(keysOf(queue.take(10))).toEqual(["a:1", "a:2"]);
  });

  it("has no effect when there is nothing of it to publish", () => {
    const queue = lookedThrough();
    add(queue, entry("a", 5));
    expect(queue.needsLook).toBe(false);
  });

  it("follows what a look has found of its job, when it comes next", () => {
    const queue = lookedThrough();
    const look = queue.lookBegins();
    queue.published(look, entry("a", 6));
    queue.lookEnded(look);
    add(queue, ...stored("a", 7));
    expect(keysOf(queue.take(10))).toEqual(["a:7"]);
  });
});

describe("a queue that is full", () => {
  it.each([
    ["entries", { maxEntries: 3 }, stored("a", 1, 2, 3, 4)],
    ["entries behind gaps", { maxEntries: 2 }, [...stored("a", 3), ...stored("b", 3), ...stored("c", 3)]],
    ["jobs", { maxJobs: 2 }, [...stored("a", 1), ...stored("b", 1), ...stored("c", 1)]],
  ])("of %s forgets them, and needs a look", (_situation, options, entries) => {
    const queue = lookedThrough(options);
    add(queue, ...entries);
    expect(queue.take(10)).toEqual([]);
    expect(queue.needsLook).toBe(true);
  });

  it("is used again after a look", () => {
    const queue = lookedThrough({ maxEntries: 2 });
    add(queue, ...stored("a", 1, 2, 3));
    const look = queue.lookBegins();
    for (const position of [1, 2, 3]) queue.published(look, entry("a", position));
    queue.lookEnded(look);
    add(queue, ...stored("a", 4));
    expect(keysOf(queue.take(10))).toEqual(["a:4"]);
  });
});

describe("a look under way when everything is forgotten", () => {
  it("tells nothing of what came before", () => {
    const queue = lookedThrough();
    const look = queue.lookBegins();
    add(queue, ...stored("a", 1));
    queue.forget();
    queue.published(look, entry("a", 1));
    queue.lookEnded(look);
    add(queue, ...stored("a", 2));
    expect(queue.take(10)).toEqual([]);
    expect(queue.needsLook).toBe(true);
  });
});

/** Numbers below a limit, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe("whatever happens at once in two replicas", () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))("keeps the order of each job, case %i", (seed) => {
    const next = numbers(seed);
    const queue = new EntryQueue<QueuedEntry>({ maxEntries: 6, maxJobs: 10 });
    const jobs = ["a", "b", "c"].map((job) => ({ job, last: next(3), marked: 0, known: 0, out: [] as number[] }));
    type Job = (typeof jobs)[number];
    const write = (job: Job) => {
      job.last += 1;
      // What this replica writes or reads passes through its queue, in order; the rest it does not know.
      if (next(3) > 0) {
        job.known = job.last;
        queue.add(entry(job.job, job.last, false));
      }
    };
    const publish = (job: Job, position: number) => {
      if (!job.out.includes(position)) job.out.push(position);
    };
    for (let step = 0; step < 300; step += 1) {
      const choice = next(10);
      if (choice < 6) write(jobs[next(3)] as Job);
      else if (choice < 8) {
        for (const { job, position } of queue.take(1 + next(3)))
          publish(jobs.find((j) => j.job === job) as Job, position);
      } else if (choice < 9 || queue.needsLook) {
        const look = queue.lookBegins();
        // Each job is read at a moment of its own, and others write between two of them.
        for (const job of jobs) {
          const seen = Array.from({ length: job.last }, (_, n) => n + 1).filter(
            (position) => !job.out.includes(position),
          );
          for (const position of seen) {
            publish(job, position);
            queue.published(look, { job: job.job, position });
            if (next(3) === 0) write(jobs[next(3)] as Job);
          }
        }
        if (next(5) > 0) queue.lookEnded(look);
        else queue.forget();
      } else if (next(4) === 0) queue.forget();
    }
    queue.lookEnded(queue.lookBegins());
    for (const { out } of jobs) expect(out).toEqual(out.toSorted((one, other) => one - other));
    for (const { out } of jobs) expect(out).toEqual(out.map((_position, index) => index + 1));
  });
});
