import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupWriter, WriteOutcomeUnknownError, WriteUnavailableError } from "@aiplatform/document-store";
import { startInfra, until } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { entry, openLog, openStore } from "./open-store.ts";

describe("a group writer whose mongod is killed while it writes", () => {
  it("settles every submission, and every one it called stored is there after the restart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "group-writer-"));
    const env = { ...process.env, MONGODB_URI: undefined };
    const parts = await startInfra({ directory, nats: false, env });
    const store = await openStore(parts.mongodbUri);
    const log = await openLog(store);
    const writer = new GroupWriter(log, { maxBatch: 20 });
    const stored = new Set<string>();
    const failures: unknown[] = [];
    const submissions: Promise<void>[] = [];
    for (let position = 0; position < 5_000; position += 1) {
      const document = entry("a", position);
      submissions.push(
        writer.submit([document]).then(
          () => void stored.add(document._id),
          (error) => void failures.push(error),
        ),
      );
    }
    await until(() => (stored.size > 500 ? true : undefined), {
      withinMs: 20_000,
      otherwise: () => new Error("nothing stored"),
    });
    const killedProcess = parts.processes.mongodb;
    await parts.kill("mongodb");
    await Promise.all(submissions);
    expect(killedProcess?.signalCode).toBe("SIGKILL");
    expect(stored.size + failures.length).toBe(5_000);
    const expected = (error: unknown) =>
      error instanceof WriteOutcomeUnknownError || error instanceof WriteUnavailableError;
    expect(failures.every(expected)).toBe(true);
    expect(failures.length).toBeGreaterThan(0);

    await parts.restart("mongodb");
    await until(() => (store.breaker.isOpen ? undefined : true), {
      withinMs: 10_000,
      otherwise: () => new Error("the store is refused still"),
    });
    const documents = await log.find({}, { sort: { position: 1 } }).toArray();
    const there = new Set(documents.map(({ _id }) => _id));
    expect([...stored].filter((id) => !there.has(id))).toEqual([]);
    expect(documents.map(({ position }) => position)).toEqual(documents.map((_, position) => position));

    // The same writer goes on.
    await writer.submit([entry("a", documents.length)]);
    await store.close();
    await parts.stop();
    await rm(directory, { recursive: true, force: true });
  });
});
