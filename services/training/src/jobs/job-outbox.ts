import type { OutboxRecord, PublishedBetween, StreamMarks } from "@aiplatform/document-store";
import type { OutboxSource } from "@aiplatform/event-stream";
import { eventsOf } from "./job-events.ts";
import type { JobEntryDocument, JobLogStore } from "./job-log-store.ts";

/** As long as the stream keeps events: it would no longer hold older ones. */
const KEPT_BY_STREAM_MS = 7 * 24 * 3_600_000;

/** The log as its own outbox: an entry is unpublished until every event it stands for is out. */
export class JobOutbox implements OutboxSource {
  readonly #store: JobLogStore;
  readonly #clock: () => Date;
  readonly #wakes = new Set<() => void>();
  /** Events of the last look that are not out yet, by entry. */
  #awaited = new Map<string, Set<string>>();

  constructor(store: JobLogStore, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The events of the oldest unpublished entries; a little more than `limit` where the last entry stands for several. */
  async pending(limit: number): Promise<OutboxRecord[]> {
    const records: OutboxRecord[] = [];
    const awaited = new Map<string, Set<string>>();
    for (const entry of await this.#store.unpublished(limit)) {
      if (records.length >= limit) break;
      const { losses } = entry;
      const events = eventsOf(entry, await this.#commandIds(entry)).map((event) =>
        losses === undefined ? event : { ...event, losses },
      );
      records.push(...events);
      awaited.set(entry._id, new Set(events.map(({ id }) => id)));
    }
    this.#awaited = awaited;
    return records;
  }

  async markPublished(ids: string[]): Promise<void> {
    const done: string[] = [];
    for (const [entry, awaited] of this.#awaited) {
      for (const id of ids) awaited.delete(id);
      if (awaited.size === 0) done.push(entry);
    }
    await this.#store.markPublished(done);
    for (const entry of done) this.#awaited.delete(entry);
  }

  get marks(): StreamMarks {
    return this.#store.marks;
  }

  republish(between: PublishedBetween): Promise<number> {
    return this.#store.republish(between, new Date(this.#clock().getTime() - KEPT_BY_STREAM_MS));
  }

  async backlog(): Promise<{ pending: number; oldestSeconds: number }> {
    const { pending, oldestAt } = await this.#store.backlog();
    const oldestSeconds = oldestAt ? Math.max(0, (this.#clock().getTime() - oldestAt.getTime()) / 1_000) : 0;
    return { pending, oldestSeconds };
  }

  changes(wake: () => void): { close(): void } {
    this.#wakes.add(wake);
    return { close: () => void this.#wakes.delete(wake) };
  }

  /** Entries with events were written. */
  wake(): void {
    for (const wake of this.#wakes) wake();
  }

  async #commandIds(entry: JobEntryDocument): Promise<ReadonlyMap<number, string>> {
    const ids = new Map<number, string>();
    const sequences = (entry.facts.resolutions ?? []).flatMap((resolution) => resolution.sequences);
    if (sequences.length === 0) return ids;
    const job = { organisationId: entry.organisation_id, runId: entry.run_id, jobName: entry.job_name };
    const first = sequences.reduce((a, b) => Math.min(a, b));
    const last = sequences.reduce((a, b) => Math.max(a, b));
    for (const { facts } of await this.#store.touching(entry.organisation_id, job, first, last)) {
      if (facts.command) ids.set(facts.command.sequence, facts.command.id);
    }
    return ids;
  }
}
