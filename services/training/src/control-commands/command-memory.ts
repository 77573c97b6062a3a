import { LRUCache } from "lru-cache";
import type { JobKey } from "../jobs/job-entry.ts";
import { jobKeyText } from "../jobs/job-log-store.ts";
import type { RecordedCommand } from "./control-command.ts";

/**
 * Commands recorded lately, by idempotency key, and those being recorded: a repeat is recognised without asking the
 * database, and waits for the write of a twin in flight. What it has forgotten, the unique index still knows.
 */
export class CommandMemory {
  readonly #recorded: LRUCache<string, RecordedCommand>;
  readonly #inFlight = new Map<string, Promise<RecordedCommand>>();

  constructor(most = 50_000) {
    this.#recorded = new LRUCache({ max: most });
  }

  /** The command of that key: the one known, or else the one that `record` makes. */
  async once(job: JobKey, idempotencyKey: string, record: () => Promise<RecordedCommand>): Promise<RecordedCommand> {
    const key = `${job.organisationId}:${jobKeyText(job)}:${idempotencyKey}`;
    // A twin that failed leaves the way free for the next.
    for (let twin = this.#inFlight.get(key); twin; twin = this.#inFlight.get(key)) await twin.catch(() => undefined);
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
