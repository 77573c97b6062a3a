import { type EventCause, isDuplicateKey } from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import type { EntryKind, JobEntry, JobFacts, JobKey, JobReference } from "./job-entry.ts";
import { hasEvents } from "./job-events.ts";
import { JobFollower } from "./job-follower.ts";
import { DecideAgainError, type EntryAppender, type HeadListener, JobHead } from "./job-head.ts";
import { entryId, type JobEntryDocument, type JobLogStore, jobKeyText } from "./job-log-store.ts";
import type { JobSnapshot } from "./job-snapshot.ts";
import { isActive } from "./job-state.ts";

export interface EntryDraft {
  kind: EntryKind;
  facts: JobFacts;
}

/** A draft and the answer once it is durable; without a draft, an answer that follows from the job as it was read. */
export type Outcome<R> = { draft: EntryDraft; answer: (job: JobSnapshot, entry: JobEntry) => R } | { answer: R };

/** Decides on the job. Called again when the job has changed meanwhile: create ids outside. */
export type Decision<R> = (job: JobSnapshot, at: Date) => Outcome<R>;

/** Told about every entry that is durable, of jobs that this process has loaded. */
export type JobListener = HeadListener["changed"];

export interface JobLogsDependencies {
  store: JobLogStore;
  appender: EntryAppender;
  clock: () => Date;
  /** A unique id for each decision. */
  newDecision: () => string;
  /** Told when entries of this replica are durable up to `position`. */
  flushed: (job: JobKey, position: number) => void;
  /** W3C trace context of the call that decides, for the events of its entry. */
  traceparent?: () => string | undefined;
  /** Who decides, and by which request, for the events of the entry. */
  cause?: () => EventCause | undefined;
  warn: (error: unknown, text: string) => void;
}

export interface JobLogsOptions {
  /** Milliseconds after which a pending command is due to be checked. */
  commandExpiryMs: number;
  /** Max jobs without a follower that are kept in memory. Default 10,000. */
  cachedJobs?: number;
}

const snapshotInterval = 256;
/** Jobs without a follower that one check asks about. */
const maxCheckedHeads = 256;
const maxPendingInSnapshot = 20_000;
const maxAttempts = 100;
const maxAttemptsWithoutStore = 2;

/** The logs of all jobs: decide on a job's folded state, append at its next position, or decide again. */
export class JobLogs {
  readonly #dependencies: JobLogsDependencies;
  readonly #commandExpiryMs: number;
  readonly #heads: LRUCache<string, JobHead>;
  readonly #loading = new Map<string, Promise<JobHead>>();
  /** Heads that are followed stay in memory. */
  readonly #followed = new Map<string, JobHead>();
  readonly #listeners = new Set<JobListener>();

  constructor(dependencies: JobLogsDependencies, { commandExpiryMs, cachedJobs = 10_000 }: JobLogsOptions) {
    this.#dependencies = dependencies;
    this.#commandExpiryMs = commandExpiryMs;
    this.#heads = new LRUCache({ max: cachedJobs });
  }

  /** The job as this replica knows it: at most one message behind the others. */
  async state(organisationId: string, runId: string, jobName: string): Promise<JobSnapshot> {
    const head = await this.#head({ organisationId, runId, jobName, pipelineId: "" });
    await head.ready();
    return head.durable;
  }

  /** The job at the end of the log, read now. */
  async currentState(job: JobReference): Promise<JobSnapshot> {
    const head = await this.#head(job);
    await head.catchUp();
    return head.durable;
  }

  /** Decides, and resolves when the decision is durable. Errors of the decision are thrown as they are. */
  async decide<R>(job: JobReference, decision: Decision<R>, beforeNextAttempt?: () => Promise<void>): Promise<R> {
    const name = this.#dependencies.newDecision();
    let lastCause: unknown;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (attempt > 0) await beforeNextAttempt?.();
      const head = await this.#head(job);
      while (!head.isReady) await head.ready();
      const at = this.#dependencies.clock();
      const seen = head.tip;
      const outcome = attemptTo(decision, seen, at);
      if ("draft" in outcome) {
        try {
          const change = await head.append(this.#document(job, seen, { ...outcome.draft, at, name }));
          return outcome.answer(change.job, change.entry);
        } catch (error) {
          if (!(error instanceof DecideAgainError)) throw error;
          lastCause = error.cause;
          // A conflict is settled by deciding again; a store that takes nothing is not, and the caller may come back.
          if (!isDuplicateKey(lastCause) && attempt >= maxAttemptsWithoutStore) throw lastCause;
        }
      } else if (await head.confirm(seen.position)) {
        if ("refusal" in outcome) throw outcome.refusal;
        return outcome.answer;
      }
    }
    throw lastCause ?? new Error(`job ${jobKeyText(job)} changed ${maxAttempts} times while a decision was made`);
  }

  /** Follows a job from its present state. */
  async follow(job: JobReference): Promise<JobFollower> {
    const key = cacheKey(job);
    const loaded = await this.#head(job);
    await loaded.ready();
    const head = this.#followed.get(key) ?? loaded;
    const follower = new JobFollower(head.durable, () => {
      head.followers.delete(follower);
      if (head.followers.size === 0) this.#followed.delete(key);
    });
    head.followers.add(follower);
    this.#followed.set(key, head);
    return follower;
  }

  /** Has those who follow a job of the run look whether it is still there. */
  wakeFollowers(runId: string): void {
    for (const { job, followers } of this.#followed.values()) {
      if (job.runId !== runId) continue;
      for (const follower of followers) follower.wake();
    }
  }

  onChange(listener: JobListener): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  /** Another replica says that the job's log has reached `position`. */
  notify(job: JobKey, position: number): void {
    this.#known(cacheKey(job))
      ?.notify(position)
      .catch((error: unknown) => this.#dependencies.warn(error, "could not read what another replica has appended"));
  }

  /**
   * Catches up with entries of which no message arrived, for the jobs that are followed and those used lately. Answers how many jobs had
   * some.
   */
  async check(): Promise<number> {
    const checked = [...this.#followed.values(), ...[...this.#heads.values()].slice(0, maxCheckedHeads)];
    const heads = new Map(checked.map((head) => [entryId(head.job, head.durable.position + 1), head]));
    if (heads.size === 0) return 0;
    const ahead = await this.#dependencies.store.existing([...heads.keys()]);
    await Promise.all(ahead.map((id) => heads.get(id)?.catchUp()));
    return ahead.length;
  }

  #known(key: string): JobHead | undefined {
    return this.#followed.get(key) ?? this.#heads.get(key);
  }

  #head(job: JobReference): Promise<JobHead> | JobHead {
    const key = cacheKey(job);
    const known = this.#known(key);
    if (known) return known;
    const loading = this.#loading.get(key) ?? this.#load(job, key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(job: JobReference, key: string): Promise<JobHead> {
    const { store, appender } = this.#dependencies;
    const head = new JobHead(job, await store.snapshot(job.organisationId, job), {
      store,
      appender,
      listener: {
        changed: (...change) => this.#changed(...change),
        flushed: (flushed) => this.#flushed(flushed),
      },
    });
    await head.ready();
    this.#heads.set(key, head);
    this.#snapshot(head);
    return head;
  }

  #changed(...change: Parameters<JobListener>): void {
    for (const listener of this.#listeners) {
      try {
        listener(...change);
      } catch (error) {
        // The entry is durable whatever a listener makes of it, and others wait for it.
        this.#dependencies.warn(error, "a listener failed on a job's change");
      }
    }
  }

  #flushed(head: JobHead): void {
    this.#dependencies.flushed(head.job, head.durable.position);
    this.#snapshot(head);
  }

  /** Stored less often the more commands are pending: a snapshot holds them all. */
  #snapshot(head: JobHead): void {
    const { position, pending } = head.durable;
    if (pending.size > maxPendingInSnapshot) return;
    if (position - head.snapshotPosition < Math.max(snapshotInterval, 4 * pending.size)) return;
    head.snapshotPosition = position;
    this.#dependencies.store
      .storeSnapshot(head.job.organisationId, head.job, head.durable)
      .catch((error: unknown) =>
        this.#dependencies.warn(error, "could not store a snapshot; the next fold takes longer"),
      );
  }

  #document(job: JobReference, seen: JobSnapshot, draft: EntryDraft & { at: Date; name: string }): JobEntryDocument {
    const { kind, facts, at, name } = draft;
    const traceparent = this.#dependencies.traceparent?.();
    const cause = this.#dependencies.cause?.();
    const { command, resolutions, lease, state } = facts;
    const position = seen.position + 1;
    const sequences = [command?.sequence ?? [], resolutions?.map((resolution) => resolution.sequences) ?? []].flat(2);
    const due = this.#dueAt(seen, draft);
    return {
      _id: entryId(job, position),
      organisation_id: job.organisationId,
      pipeline_id: job.pipelineId,
      run_id: job.runId,
      job_name: job.jobName,
      position,
      kind,
      at,
      decision: name,
      facts,
      ...(hasEvents(kind, facts) ? { published: false } : {}),
      ...(sequences.length > 0 ? { sequences } : {}),
      ...(command ? { command_id: command.id, idempotency_key: command.idempotencyKey } : {}),
      ...(due ? { due_at: due } : {}),
      ...(traceparent ? { traceparent } : {}),
      ...(cause ? { cause } : {}),
      ...(lease?.holderMemberId && !lease.ended ? { lease_holder: lease.holderMemberId } : {}),
      ...(state && isActive(state.to) && !isActive(state.from) ? { active: true as const } : {}),
    };
  }

  /**
   * While anything of a job can run out, some entry of it has `due_at`: the first of the pending commands bears it for
   * those behind it, each lease and each pause that ends by itself bears its own.
   */
  #dueAt(seen: JobSnapshot, { facts, at }: EntryDraft & { at: Date }): Date | undefined {
    const waits =
      facts.command?.status === "pending" && (seen.pending.size === 0 || (facts.resolutions?.length ?? 0) > 0);
    const expiry = waits ? at.getTime() + this.#commandExpiryMs : undefined;
    const end = facts.lease && !facts.lease.ended ? facts.lease.expiresAt.getTime() : undefined;
    const times = [expiry, end, facts.command?.resumeAt?.getTime()];
    const due = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(due) ? new Date(due) : undefined;
  }
}

function cacheKey(job: JobKey): string {
  return `${job.organisationId}:${jobKeyText(job)}`;
}

function attemptTo<R>(decision: Decision<R>, job: JobSnapshot, at: Date): Outcome<R> | { refusal: unknown } {
  try {
    return decision(job, at);
  } catch (refusal) {
    return { refusal };
  }
}
