import { AsyncLocalStorage } from "node:async_hooks";
import type { JobReference } from "./job-entry.ts";
import { foldEntry } from "./job-fold.ts";
import type { JobChange, JobFollower } from "./job-follower.ts";
import { entryOf, type JobEntryDocument, type JobLogStore } from "./job-log-store.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

/** An entry that is durable, as it was stored or read. */
export interface DurableChange extends JobChange {
  document: JobEntryDocument;
  before: JobSnapshot;
  /** Whether this process wrote it. */
  isOwn: boolean;
}

/** Told what becomes durable in a job's log. */
export interface HeadListener {
  /** For every entry, in order. */
  changed(job: JobReference, change: DurableChange): void;
  /** After entries of this process. */
  flushed(head: JobHead): void;
}

/** Where entries go; resolves when all of them are durable. */
export interface EntryAppender {
  submit(entries: JobEntryDocument[]): Promise<void>;
}

/** Another writer decided first, or the outcome of the write is unknown: read the job again and decide again. */
export class DecideAgainError extends Error {
  override name = "DecideAgainError";
  constructor(cause: unknown) {
    super("the job has changed", { cause });
  }
}

interface PendingAppend {
  document: JobEntryDocument;
  /** Runs a write in the trace of the call that appended the entry. */
  onBehalf: <R>(write: () => R) => R;
  change: JobChange;
  resolve: (change: JobChange) => void;
  reject: (error: unknown) => void;
}

interface HeadDependencies {
  store: JobLogStore;
  appender: EntryAppender;
  listener: HeadListener;
}

const pageSize = 1_000;

/**
 * The end of one job's log as this process knows it. `tip` includes entries that are on their way to the store, so that
 * decisions need not wait for one another; `durable` does not. At most one write of the job is under way: entries
 * decided meanwhile form the next one, and none is sent behind one that may fail.
 */
export class JobHead {
  readonly job: JobReference;
  readonly followers = new Set<JobFollower>();
  readonly #dependencies: HeadDependencies;
  #durable: JobSnapshot;
  #tip: JobSnapshot;
  #unwritten: PendingAppend[] = [];
  #writing = false;
  #stale = false;
  #catchingUp: Promise<void> | undefined;
  #notifiedPosition = 0;
  #written: Promise<void> = Promise.resolve();
  /** Raised whenever entries that the tip held turned out not to be written. */
  #generation = 0;
  /** Position of the newest stored snapshot. */
  snapshotPosition: number;

  constructor(job: JobReference, snapshot: JobSnapshot, dependencies: HeadDependencies) {
    this.job = job;
    this.#dependencies = dependencies;
    this.#durable = snapshot;
    this.#tip = snapshot;
    this.#stale = true;
    this.snapshotPosition = snapshot.position;
  }

  /** The job after every entry known to be durable. */
  get durable(): JobSnapshot {
    return this.#durable;
  }

  /** The job after every entry that was decided, durable or not. Only to decide on. */
  get tip(): JobSnapshot {
    return this.#tip;
  }

  /** Whether the tip can be decided on in this very turn: no read of the log is under way that would move it. */
  get isReady(): boolean {
    return !this.#catchingUp && !this.#stale;
  }

  /** Resolves when there was a moment to decide; ask {@link isReady} whether it still is. */
  async ready(): Promise<void> {
    while (!this.isReady) await this.catchUp();
  }

  /** Appends an entry that was decided on the tip in this very turn; resolves when it is durable. */
  append(document: JobEntryDocument): Promise<JobChange> {
    const entry = entryOf(document);
    const job = foldEntry(this.#tip, entry);
    this.#tip = job;
    return new Promise((resolve, reject) => {
      const onBehalf = AsyncLocalStorage.snapshot();
      this.#unwritten.push({ document, onBehalf, change: { entry, job }, resolve, reject });
      if (!this.#writing) void this.#flush();
    });
  }

  /**
   * Whether the tip of `position` is durable and was the newest at some moment since the call. Entries on their way
   * prove it by succeeding; without any, the log is asked.
   */
  async confirm(position: number): Promise<boolean> {
    const generation = this.#generation;
    const onItsWay = this.#durable.position < position;
    while (this.#writing && generation === this.#generation && this.#durable.position < position) await this.#written;
    if (generation !== this.#generation || this.#durable.position < position) return false;
    if (onItsWay) return true;
    if (this.#writing) await this.#written;
    else await this.catchUp();
    return this.#durable.position === position;
  }

  /** Reads what others have appended, unless a write is under way: that finds out by itself. */
  catchUp(): Promise<void> {
    if (this.#writing) return this.#written;
    this.#catchingUp ??= this.#read(new Map()).finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  /** Another replica appended at `position`. */
  async notify(position: number): Promise<void> {
    this.#notifiedPosition = Math.max(this.#notifiedPosition, position);
    if (this.#notifiedPosition > this.#durable.position && !this.#writing) await this.catchUp();
  }

  /** Writes until nothing waits. Between two writes no read may begin: it would meet what the next one stores. */
  async #flush(): Promise<void> {
    this.#writing = true;
    for (let more = true; more; ) {
      const write = this.#write();
      this.#written = write.then(() => undefined);
      more = await write;
    }
  }

  /** Returns whether there is more to write; if not, others may read or write from the same turn on. */
  async #write(): Promise<boolean> {
    const batch = this.#unwritten;
    this.#unwritten = [];
    try {
      const documents = batch.map(({ document }) => document);
      const { onBehalf = (write: () => Promise<void>) => write() } = batch[0] ?? {};
      await onBehalf(() => this.#dependencies.appender.submit(documents));
    } catch (error) {
      await this.#recover(batch, error);
      return false;
    }
    const more = this.#unwritten.length > 0;
    this.#writing = more;
    for (const { document, change, resolve } of batch) {
      this.#advance(document, change, true);
      resolve(change);
    }
    this.#dependencies.listener.flushed(this);
    if (!more && this.#notifiedPosition > this.#durable.position) {
      this.#stale = true;
      // A follower must not wait for the next decision; a failure here is made good by the periodic check.
      void this.catchUp().catch(() => undefined);
    }
    return more;
  }

  /**
   * A write failed, as a whole or in part. Everything decided on top of it is void; what became durable after all is
   * found in the log by its decision, the rest is decided again.
   */
  async #recover(batch: PendingAppend[], error: unknown): Promise<void> {
    const unsettled = new Map([...batch, ...this.#unwritten].map((append) => [append.document.decision, append]));
    this.#unwritten = [];
    this.#generation++;
    this.#tip = this.#durable;
    this.#stale = true;
    try {
      this.#catchingUp = this.#read(unsettled);
      await this.#catchingUp;
      for (const { reject } of unsettled.values()) reject(new DecideAgainError(error));
    } catch (unreadable) {
      for (const { reject } of unsettled.values()) reject(unreadable);
    } finally {
      this.#catchingUp = undefined;
      this.#writing = false;
    }
  }

  async #read(unsettled: Map<string, PendingAppend>): Promise<void> {
    const { store } = this.#dependencies;
    for (;;) {
      const documents = await store.after(this.job.organisationId, this.job, this.#durable.position, pageSize);
      for (const document of documents) {
        const entry = entryOf(document);
        const change = { entry, job: foldEntry(this.#durable, entry) };
        const own = unsettled.get(entry.decision);
        this.#advance(document, change, own !== undefined);
        unsettled.delete(entry.decision);
        own?.resolve(change);
      }
      if (documents.length < pageSize) break;
    }
    this.#tip = this.#durable;
    this.#stale = false;
  }

  #advance(document: JobEntryDocument, change: JobChange, isOwn: boolean): void {
    const before = this.#durable;
    this.#durable = change.job;
    for (const follower of this.followers) follower.push(change);
    this.#dependencies.listener.changed(this.job, { ...change, document, before, isOwn });
  }
}
