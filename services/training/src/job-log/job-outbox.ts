import type {
  OutboxLook,
  PublishedBetween,
  ReplicaLeases,
  StagedEvents,
  StagingListener,
  StreamMarks,
} from "@aiplatform/document-store";
import type { OutboxSource, StoredEvents } from "@aiplatform/event-stream";
import { EntryQueue, type QueuedEntry } from "./entry-queue.ts";
import { eventsOf } from "./job-events.ts";
import type { DurableChange } from "./job-head.ts";
import { type JobEntryDocument, type JobLogStore, jobKeyText } from "./job-log-store.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

/** How long the stream keeps events; older ones are not published again. */
const streamRetentionMs = 7 * 24 * 3_600_000;
/** Keys that are read at once; an index alone answers. */
const keysAtOnce = 2_000;

type CommandIds = ReadonlyMap<number, string>;

interface QueuedDocument extends QueuedEntry {
  readonly document: JobEntryDocument;
  /** Ids of the commands that it decides, by sequence. */
  readonly commandIds: CommandIds;
}

/**
 * The log as its own outbox: an entry is unpublished until each of its events is published. The entries of a run are a partition,
 * which one replica publishes: from memory what passes through it, from the database what others have written.
 */
export class JobOutbox implements OutboxSource {
  readonly stored: StoredEvents;
  readonly #store: JobLogStore;
  readonly #clock: () => Date;
  readonly #queue = new EntryQueue<QueuedDocument>();
  readonly #listeners = new Set<StagingListener>();

  constructor(store: JobLogStore, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
    const queue = this.#queue;
    this.stored = {
      take: (limit) => this.#take(limit),
      forget: () => queue.forget(),
      get needsLook() {
        return queue.needsLook;
      },
    };
  }

  /** Entries with their events; the keys are looked through once, and an entry behind them is found by the next look. */
  async *unpublished({ isOwn, published, limit }: OutboxLook): AsyncGenerator<StagedEvents[]> {
    const look = this.#queue.lookBegins();
    for (let from: string | undefined = ""; from !== undefined; ) {
      const keys: string[] = await this.#store.unpublishedKeys(from, keysAtOnce);
      from = keys.length === keysAtOnce ? keys.at(-1) : undefined;
      const wanted = keys.filter((key) => isOwn(runOf(key)) && !published.has(key));
      for (let start = 0; start < wanted.length; start += limit) {
        const entries = await this.#store.withKeys(wanted.slice(start, start + limit));
        yield await Promise.all(entries.map((entry) => this.#staged(entry)));
        for (const entry of entries) this.#queue.published(look, placeOf(entry));
      }
    }
    this.#queue.lookEnded(look);
  }

  async markPublished(keys: string[]): Promise<void> {
    await this.#store.markPublished(keys);
  }

  get marks(): StreamMarks {
    return this.#store.marks;
  }

  get replicas(): ReplicaLeases {
    return this.#store.replicas;
  }

  async republish(between: PublishedBetween): Promise<number> {
    const count = await this.#store.republish(between, new Date(this.#clock().getTime() - streamRetentionMs));
    // What was lost goes out before what follows it.
    if (count > 0) this.#queue.forget();
    return count;
  }

  async backlog(): Promise<{ pending: number; oldestSeconds: number }> {
    const { pending, oldestAt } = await this.#store.backlog();
    const oldestSeconds = oldestAt ? Math.max(0, (this.#clock().getTime() - oldestAt.getTime()) / 1_000) : 0;
    return { pending, oldestSeconds };
  }

  listen(listener: StagingListener): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  /** Call it with every entry that is durable, in the order of its job. */
  durable({ document, before, isOwn }: Pick<DurableChange, "document" | "before" | "isOwn">): void {
    for (const listener of this.#listeners) {
      if (listener.isOwn(document.run_id)) this.#queue.add(queued(document, before));
      else if (!isOwn) continue;
      if (document.published === false) listener.staged(document.run_id);
    }
  }

  async #take(limit: number): Promise<StagedEvents[]> {
    return Promise.all(this.#queue.take(limit).map((entry) => this.#staged(entry.document, entry.commandIds)));
  }

  async #staged(entry: JobEntryDocument, known?: CommandIds): Promise<StagedEvents> {
    const commandIds = known && decided(entry).every((sequence) => known.has(sequence)) ? known : undefined;
    const events = eventsOf(entry, commandIds ?? (await this.#commandIds(entry)));
    const { losses } = entry;
    const records = losses === undefined ? events : events.map((event) => ({ ...event, losses }));
    return { key: entry._id, records };
  }

  async #commandIds(entry: JobEntryDocument): Promise<CommandIds> {
    const ids = new Map<number, string>();
    const sequences = decided(entry);
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

/** Commands that an entry decides were pending before it, or are its own. */
function queued(document: JobEntryDocument, { pending }: JobSnapshot): QueuedDocument {
  const commandIds = new Map<number, string>();
  for (const sequence of decided(document)) {
    const id = pending.bySequence(sequence)?.id;
    if (id !== undefined) commandIds.set(sequence, id);
  }
  return { key: document._id, ...placeOf(document), published: document.published, document, commandIds };
}

function decided({ facts }: JobEntryDocument): number[] {
  return (facts.resolutions ?? []).flatMap(({ sequences }) => sequences);
}

function placeOf({ run_id, job_name, position }: JobEntryDocument): { job: string; position: number } {
  return { job: jobKeyText({ runId: run_id, jobName: job_name }), position };
}

/** The run of an entry's primary key. */
function runOf(key: string): string {
  return key.slice(0, key.indexOf(":"));
}
