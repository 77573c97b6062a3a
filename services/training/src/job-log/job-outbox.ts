import type { OutboxRecord, PublishedBetween, StreamMarks } from "@aiplatform/document-store";
import type { OutboxSource } from "@aiplatform/event-stream";
import { eventsOf } from "./job-events.ts";
import type { JobEntryDocument, JobLogStore } from "./job-log-store.ts";

/** How long the stream keeps events; older ones are not published again. */
const streamRetentionMs = 7 * 24 * 3_600_000;

/** The log as its own outbox: an entry is unpublished until each of its events is published. */
export class JobOutbox implements OutboxSource {
  readonly #store: JobLogStore;
  readonly #clock: () => Date;
  readonly #listeners = new Set<() => void>();
  /** Events of the last batch that are not published yet, by entry. */
  #awaited = new Map<string, Set<string>>();

  constructor(store: JobLogStore, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The events of the oldest unpublished entries; a little more than `limit` where the last entry has several. */
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

  async republish(between: PublishedBetween): Promise<number> {
    const count = await this.#store.republish(between, new Date(this.#clock().getTime() - streamRetentionMs));
    if (count > 0) this.notify();
    return count;
  }

  async backlog(): Promise<{ pending: number; oldestSeconds: number }> {
    const { pending, oldestAt } = await this.#store.backlog();
    const oldestSeconds = oldestAt ? Math.max(0, (this.#clock().getTime() - oldestAt.getTime()) / 1_000) : 0;
    return { pending, oldestSeconds };
  }

  changes(listener: () => void): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  /** Call it when entries with events were written. */
  notify(): void {
    for (const notify of this.#listeners) notify();
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
