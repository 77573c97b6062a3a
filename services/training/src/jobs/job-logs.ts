import { type EventCause, isDuplicateKey } from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import type { EntryKind, JobEntry, JobFacts, JobKey } from "./job-entry.ts";
import { standsForEvents } from "./job-events.ts";
import { JobFollower } from "./job-follower.ts";
import { DecideAgainError, type EntryAppender, JobHead, type JobReference, type Written } from "./job-head.ts";
import { entryId, type JobEntryDocument, type JobLogStore, jobKeyText } from "./job-log-store.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

/** What a decision wants written. */
export interface Draft {
  kind: EntryKind;
  facts: JobFacts;
}

/** A draft and what it answers once it is durable; without a draft, an answer that rests on what was seen. */
export type Outcome<R> = { draft: Draft; answer: (job: JobSnapshot, entry: JobEntry) => R } | { answer: R };

/** Decides on the job as it is. Called again when the job has moved on meanwhile: mint ids outside. */
export type Decision<R> = (job: JobSnapshot, at: Date) => Outcome<R>;

/** Told about every entry that is durable, for jobs that this process has looked at. */
export type JobListener = (runId: string, jobName: string, job: JobSnapshot) => void;

/** What the logs need from around them. */
export interface JobLogsDependencies {
  store: JobLogStore;
  appender: EntryAppender;
  clock: () => Date;
  /** Names a decision; unique for ever. */
  newDecision: () => string;
  /** Tells other replicas that the job's log has reached `position`. */
  announce: (job: JobKey, position: number) => void;
  /** Told that entries with events await the relay. */
  published: () => void;
  /** W3C trace context of the call that decides, for the events of its entry. */
  traceparent?: () => string | undefined;
  /** Who decides, and by which request, for the events of the entry. */
  cause?: () => EventCause | undefined;
  /** Milliseconds after which a pending command is looked at, and perhaps expires. */
  commandExpiryMs: number;
  /** Max jobs without a follower that are kept in memory; default 10,000. */
  cachedJobs?: number;
  warn: (error: unknown, text: string) => void;
  /** Told of each entry that this replica wrote, and of the job before it. */
  written?: (before: JobSnapshot, entry: JobEntry) => void;
}

const SNAPSHOT_INTERVAL = 256;
const MOST_PENDING_IN_SNAPSHOT = 20_000;
const MOST_ATTEMPTS = 100;
const MOST_ATTEMPTS_WITHOUT_STORE = 2;

/** The logs of all jobs: decide on a job's folded state, append at its next position, or decide again. */
export class JobLogs {
  readonly #dependencies: JobLogsDependencies;
  readonly #heads: LRUCache<string, JobHead>;
  readonly #loading = new Map<string, Promise<JobHead>>();
  readonly #followed = new Map<string, { head: JobHead; followers: Set<JobFollower> }>();
  readonly #listeners = new Set<JobListener>();

  constructor(dependencies: JobLogsDependencies) {
    this.#dependencies = dependencies;
    this.#heads = new LRUCache({ max: dependencies.cachedJobs ?? 10_000 });
  }

  /** The job as this replica knows it: at most a wake-up behind the others. */
  async state(organisationId: string, runId: string, jobName: string): Promise<JobSnapshot> {
    const head = await this.#head({ organisationId, runId, jobName, pipelineId: "" });
    await head.ready();
    return head.durable;
  }

  /** The job as the log has it now. */
  async currentState(job: JobReference): Promise<JobSnapshot> {
    const head = await this.#head(job);
    await head.catchUp();
    return head.durable;
  }

  /** Decides, and answers when the decision is durable. Refusals are thrown by the decision and come out as they are. */
  async decide<R>(job: JobReference, decision: Decision<R>, beforeNextAttempt?: () => Promise<void>): Promise<R> {
    const name = this.#dependencies.newDecision();
    let lastCause: unknown;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (attempt > 0) await beforeNextAttempt?.();
      const head = await this.#head(job);
      while (!head.isReady) await head.ready();
      const at = this.#dependencies.clock();
      const seen = head.tip;
      const outcome = attemptTo(decision, seen, at);
      if ("draft" in outcome) {
        try {
          const written = await head.append(this.#document(job, seen, { ...outcome.draft, at, name }));
          return outcome.answer(written.job, written.entry);
        } catch (error) {
          if (!(error instanceof DecideAgainError)) throw error;
          lastCause = error.cause;
          // A conflict is settled by deciding again; a store that takes nothing is not, and the caller may come back.
          if (!isDuplicateKey(lastCause) && attempt >= MOST_ATTEMPTS_WITHOUT_STORE) throw lastCause;
        }
      } else if (await head.confirm(seen.position)) {
        if ("refusal" in outcome) throw outcome.refusal;
        return outcome.answer;
      }
    }
    throw lastCause ?? new Error(`job ${jobKeyText(job)} moved on ${MOST_ATTEMPTS} times while a decision was made`);
  }

  /** Follows a job from where it stands now. */
  async follow(job: JobReference): Promise<JobFollower> {
    const key = cacheKey(job);
    const head = await this.#head(job);
    await head.ready();
    const followed = this.#followed.get(key) ?? { head, followers: new Set() };
    const follower = new JobFollower(followed.head.durable, () => {
      followed.followers.delete(follower);
      if (followed.followers.size === 0) this.#followed.delete(key);
    });
    followed.followers.add(follower);
    this.#followed.set(key, followed);
    return follower;
  }

  /** Tells the listener of every change from now on. */
  onChange(listener: JobListener): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  /** Another replica says that the job's log has reached `position`. */
  heardOf(job: JobKey, position: number): void {
    this.#known(cacheKey(job))
      ?.heardOf(position)
      .catch((error: unknown) => this.#dependencies.warn(error, "could not read what another replica has appended"));
  }

  /** Looks whether any job that is followed has moved on unheard. */
  async check(): Promise<void> {
    const heads = new Map(
      [
        ...this.#followed.values(),
        ...[...this.#heads.values()].slice(0, SNAPSHOT_INTERVAL).map((head) => ({ head })),
      ].map(({ head }) => [entryId(head.job, head.durable.position + 1), head]),
    );
    if (heads.size === 0) return;
    const ahead = await this.#dependencies.store.existing([...heads.keys()]);
    await Promise.all(ahead.map((id) => heads.get(id)?.catchUp()));
  }

  #known(key: string): JobHead | undefined {
    return this.#followed.get(key)?.head ?? this.#heads.get(key);
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
      advanced: (written, own, before) => {
        if (own) this.#dependencies.written?.(before, written.entry);
        this.#advanced(key, job, written);
      },
      flushed: (flushed) => this.#flushed(flushed),
    });
    await head.ready();
    this.#heads.set(key, head);
    this.#snapshot(head);
    return head;
  }

  #advanced(key: string, job: JobReference, written: Written): void {
    for (const follower of this.#followed.get(key)?.followers ?? []) follower.push(written);
    for (const listener of this.#listeners) {
      try {
        listener(job.runId, job.jobName, written.job);
      } catch (error) {
        // The entry is durable whatever a listener makes of it, and others wait for it.
        this.#dependencies.warn(error, "a listener failed on a job's change");
      }
    }
  }

  #flushed(head: JobHead): void {
    this.#dependencies.announce(head.job, head.durable.position);
    this.#dependencies.published();
    this.#snapshot(head);
  }

  /** Stored more rarely the more commands pend: a snapshot holds them all, and must stay a fraction of the work. */
  #snapshot(head: JobHead): void {
    const { position, pending } = head.durable;
    if (pending.size > MOST_PENDING_IN_SNAPSHOT) return;
    if (position - head.snapshotPosition < Math.max(SNAPSHOT_INTERVAL, 4 * pending.size)) return;
    head.snapshotPosition = position;
    this.#dependencies.store
      .storeSnapshot(head.job.organisationId, head.job, head.durable)
      .catch((error: unknown) =>
        this.#dependencies.warn(error, "could not store a snapshot; the next fold takes longer"),
      );
  }

  #document(job: JobReference, seen: JobSnapshot, draft: Draft & { at: Date; name: string }): JobEntryDocument {
    const { kind, facts, at, name } = draft;
    const traceparent = this.#dependencies.traceparent?.();
    const cause = this.#dependencies.cause?.();
    const { command, resolutions, lease } = facts;
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
      ...(standsForEvents(kind, facts) ? { published: false } : {}),
      ...(sequences.length > 0 ? { sequences } : {}),
      ...(command ? { command_id: command.id, idempotency_key: command.idempotencyKey } : {}),
      ...(due ? { due_at: due } : {}),
      ...(traceparent ? { traceparent } : {}),
      ...(cause ? { cause } : {}),
      ...(lease?.holderMemberId && !lease.ended ? { lease_holder: lease.holderMemberId } : {}),
    };
  }

  /**
   * While anything of a job can run out, some entry of it has `due_at`: the first of the pending commands bears it for
   * those behind it, each lease bears its own.
   */
  #dueAt(seen: JobSnapshot, { facts, at }: Draft & { at: Date }): Date | undefined {
    const waits =
      facts.command?.status === "pending" && (seen.pending.size === 0 || (facts.resolutions?.length ?? 0) > 0);
    const expiry = waits ? at.getTime() + this.#dependencies.commandExpiryMs : undefined;
    const end = facts.lease && !facts.lease.ended ? facts.lease.expiresAt.getTime() : undefined;
    const due = Math.min(expiry ?? Number.POSITIVE_INFINITY, end ?? Number.POSITIVE_INFINITY);
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
