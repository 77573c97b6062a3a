import { LRUCache } from "lru-cache";
import type { JobKey, RecordedCommand } from "../job-log/job-entry.ts";
import { jobKeyText } from "../job-log/job-log-store.ts";

/**
 * Commands recorded lately, by idempotency key, and those being recorded: a repeat is recognised without asking the
 * database, and waits for a write with the same key. What was evicted, the unique index still knows.
 */
export class CommandCache {
  readonly #recorded = new LRUCache<string, RecordedCommand>({ max: 50_000 });
  readonly #inFlight = new Map<string, Promise<RecordedCommand>>();

  async getOrRecord(
    job: JobKey,
    idempotencyKey: string,
    record: () => Promise<RecordedCommand>,
  ): Promise<RecordedCommand> {
    const key = `${job.organisationId}:${jobKeyText(job)}:${idempotencyKey}`;
    // After a write that failed, the next request with the key writes.
    for (let other = this.#inFlight.get(key); other; other = this.#inFlight.get(key))
      await other.catch(() => undefined);
    const earlier = this.#recorded.get(key);
    if (earlier) return earlier;
    const recording = record();
    this.#inFlight.set(key, recording);
    try {
      const command = await recording;
      this.#recorded.set(key, command);
      return command;
    } finally {
      this.#inFlight.delete(key);
    }
  }
}
