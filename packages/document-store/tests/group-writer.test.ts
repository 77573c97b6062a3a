import { DuplicateKeyError, GroupWriter, WriteUnavailableError } from "@aiplatform/document-store";
import type { Collection } from "mongodb";
import { describe, expect, it } from "vitest";
import { type Entry, entry, openLog, openStore } from "./open-store.ts";

const chainOf = ({ job }: Entry) => job;

function fatesOf(outcomes: PromiseSettledResult<void>[]): string[] {
  return outcomes.map((outcome) => (outcome.status === "fulfilled" ? "stored" : outcome.reason.name));
}

describe("a group writer", () => {
  it("stores what sixty-four callers submit at once, each once and in order", async () => {
    await using store = await openStore();
    const log = await openLog(store);
    const writer = new GroupWriter(log, { chainOf });
    await Promise.all(Array.from({ length: 64 }, (_, position) => writer.submit([entry("a", position)])));
    const stored = await log.find({}, { sort: { $natural: 1 } }).toArray();
    expect(stored.map(({ position }) => position)).toEqual(Array.from({ length: 64 }, (_, position) => position));
  });

  it("has settled everything it accepted once it is closed, and accepts nothing more", async () => {
    await using store = await openStore();
    const log = await openLog(store);
    const writer = new GroupWriter(log);
    const accepted = [0, 1, 2].map((position) => writer.submit([entry("a", position)]));
    await writer.close();
    expect(await log.countDocuments()).toBe(3);
    await Promise.all(accepted);
    await expect(writer.submit([entry("a", 3)])).rejects.toThrow(WriteUnavailableError);
  });

  it("refuses at once when too many documents wait", async () => {
    await using store = await openStore();
    const writer = new GroupWriter(await openLog(store), { maxWaiting: 2, maxBatch: 1 });
    // The first is under way at once; two wait; the fourth is one too many.
    const outcomes = await Promise.allSettled([0, 1, 2, 3].map((position) => writer.submit([entry("a", position)])));
    expect(fatesOf(outcomes)).toEqual(["stored", "stored", "stored", "WriteUnavailableError"]);
  });
});

describe("a group writer whose batch meets a taken key", () => {
  async function collide() {
    const store = await openStore();
    const log = await openLog(store);
    await log.insertOne(entry("a", 2));
    const forgotten: string[] = [];
    const onFailedBatch = (unsent: Entry[]) =>
      forgotten.push(...unsent.map(({ job, position }) => `${job}${position}`));
    const writer = new GroupWriter(log, { chainOf, onFailedBatch });
    const wanted = [
      entry("x", 0),
      entry("a", 0),
      entry("a", 1),
      entry("a", 2),
      entry("b", 0),
      entry("a", 3),
      entry("b", 1),
    ];
    const outcomes = await Promise.allSettled(wanted.map((document) => writer.submit([document])));
    return { store, log, writer, outcomes, forgotten };
  }

  it("keeps what came before it, refuses what builds on it, and stores what does not", async () => {
    const { store, outcomes } = await collide();
    await using _ = store;
    const afterwards = ["stored", "WriteUnavailableError", "stored"];
    expect(fatesOf(outcomes)).toEqual(["stored", "stored", "stored", "DuplicateKeyError", ...afterwards]);
  });

  it("names the index and its fields", async () => {
    const { store, outcomes } = await collide();
    await using _ = store;
    const refusal = outcomes[3];
    const keyPattern = { job: 1, position: 1 };
    expect(refusal).toMatchObject({ reason: { index: "job_1_position_1", keyPattern, durableDocuments: 0 } });
  });

  it("tells what has to be forgotten, and only that", async () => {
    const { store, forgotten } = await collide();
    await using _ = store;
    expect(forgotten).toEqual(["a2", "a3"]);
  });

  it("leaves no gap in any log", async () => {
    const { store, log } = await collide();
    await using _ = store;
    for (const [job, positions] of [
      ["a", [0, 1, 2]],
      ["b", [0, 1]],
    ] as const) {
      const stored = await log.find({ job }, { sort: { position: 1 } }).toArray();
      expect(stored.map(({ position }) => position)).toEqual(positions);
    }
  });

  it("refuses a decision that was made before the failure", async () => {
    const { store, log, writer } = await collide();
    await using _ = store;
    await expect(writer.submit([entry("a", 9)], writer.generation - 1)).rejects.toThrow(WriteUnavailableError);
    expect(await log.countDocuments({ position: 9 })).toBe(0);
  });

  it("says how much of a longer submission is stored", async () => {
    await using store = await openStore();
    const log = await openLog(store);
    await log.insertOne(entry("a", 1));
    const writer = new GroupWriter(log);
    const refusal = await writer.submit([entry("a", 0), entry("a", 1), entry("a", 2)]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DuplicateKeyError);
    expect(refusal).toMatchObject({ durableDocuments: 1 });
    expect(await log.countDocuments()).toBe(2);
  });
});

describe("a group writer given a document that cannot be sent", () => {
  it("refuses that one and stores the others", async () => {
    await using store = await openStore();
    const writer = new GroupWriter(await openLog(store), { chainOf });
    const monster = { ...entry("b", 0), text: "x".repeat(17 * 1024 * 1024) };
    const documents = [entry("x", 0), entry("a", 0), monster, entry("a", 1)];
    const outcomes = await Promise.allSettled(documents.map((document) => writer.submit([document])));
    expect(fatesOf(outcomes)).toEqual(["stored", "stored", "Error", "stored"]);
  });
});

/** The error of a batch or a single document that the server refused at its first document, with another code. */
async function refusalWith(code: number, log: Collection<Entry>, count: number): Promise<unknown> {
  const documents = Array.from({ length: count }, () => entry("taken", 0));
  const [first = entry("taken", 0)] = documents;
  await log.insertOne(entry("taken", 0)).catch(() => undefined);
  const inserted = count === 1 ? log.insertOne(first) : log.insertMany(documents);
  const error = await inserted.catch((failure: unknown) => failure);
  return Object.assign(Object(error), { code });
}

/** The collection whose next insert fails with `error`. */
function failingOnce(log: Collection<Entry>, error: unknown): Collection<Entry> {
  let isLeft = true;
  return new Proxy(log, {
    get(target, property) {
      const found = Reflect.get(target, property, target);
      if (property !== "insertOne" && property !== "insertMany") return found;
      return (...given: unknown[]) => {
        if (!isLeft) return Reflect.apply(found, target, given);
        isLeft = false;
        return Promise.reject(error);
      };
    },
  });
}

describe("a group writer whose write is interrupted at one of its documents", () => {
  const interruptions = [
    ["NotWritablePrimary", 10107],
    ["PrimarySteppedDown", 189],
    ["InterruptedAtShutdown", 11600],
    ["Interrupted", 11601],
    ["InterruptedDueToReplStateChange", 11602],
    ["ShutdownInProgress", 91],
    ["OutOfDiskSpace", 14031],
    ["WriteConflict", 112],
  ] as const;

  it.each(interruptions.flatMap(([name, code]) => [1, 3].map((count) => [name, count, code] as const)))(
    "does not know the outcome: %s, %i sent at once",
    async (_name, count, code) => {
      await using store = await openStore();
      const log = await openLog(store);
      const forgotten: Entry[] = [];
      const onFailedBatch = (unsent: Entry[]) => forgotten.push(...unsent);
      const writer = new GroupWriter(failingOnce(log, await refusalWith(code, log, count)), { onFailedBatch });
      const documents = Array.from({ length: count }, (_, position) => entry("a", position));
      await expect(writer.submit(documents)).rejects.toMatchObject({ name: "WriteOutcomeUnknownError" });
      expect(forgotten).toEqual(documents);
      await writer.submit(documents);
    },
  );

  it("still says that a document is wrong when it is", async () => {
    await using store = await openStore();
    const log = await openLog(store);
    const documentValidationFailure = 121;
    const writer = new GroupWriter(failingOnce(log, await refusalWith(documentValidationFailure, log, 3)));
    await expect(writer.submit([entry("a", 0), entry("a", 1)])).rejects.toThrow("the database refused a document");
  });
});
