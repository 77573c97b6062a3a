import { DuplicateKeyError, GroupWriter, WriteUnavailableError } from "@aiplatform/document-store";
import { describe, expect, it } from "@jest/globals";
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
