import { chooseCheckpoint } from "../control-commands/checkpoint-choice.ts";
import { type ControlCommand, usesCheckpoint } from "../control-commands/control-command.ts";
import type { DirectoryEntry, JobDirectory } from "../jobs/job-directory.ts";
import type { JobEntry } from "../jobs/job-entry.ts";
import { FollowerOverrunError } from "../jobs/job-follower.ts";
import type { Written } from "../jobs/job-head.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { activeSegmentIndex, type JobSnapshot } from "../jobs/job-snapshot.ts";
import { type PendingCommand, PendingCommands } from "../jobs/pending-commands.ts";
import { jobOfTrainer, type TrainerAddress } from "./attachment.ts";
import type { TrainerReports } from "./trainer-reports.ts";

/** What serving a trainer needs. */
export interface AttachDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  reports: TrainerReports;
  /** Aborted when this replica drains. */
  draining: AbortSignal;
}

/** What a trainer is told. */
export type TrainerEvent =
  | {
      case: "attached";
      found: DirectoryEntry;
      job: JobSnapshot;
      durableCounter: number;
      activeSegment: number;
      setBack: boolean;
    }
  | {
      case: "command";
      command: ControlCommand;
      epoch: number;
      resolvedCheckpointId?: string;
      /** Trace of the request that asked for it. */
      traceparent?: string;
    }
  | { case: "withdrawal"; commandId: string; sequence: number; detail: string }
  | { case: "heartbeat" }
  | { case: "reconnect" }
  | { case: "detached"; attachmentId: string };

/** A trainer process that attaches. */
export interface AttachingTrainer extends TrainerAddress {
  /** Sequence of the last command it finished with; 0: none. */
  lastSequence: number;
  /** Its id, where the trainer knows it. */
  lastCommandId?: string | undefined;
}

const HEARTBEAT_MS = 10_000;

/**
 * Makes the caller the job's trainer and tells it all it has to know, until it leaves, is replaced, or this replica
 * drains. Throws NotFoundError.
 */
export async function* attachTrainer(
  dependencies: AttachDependencies,
  organisationId: string,
  trainer: AttachingTrainer,
  left: AbortSignal,
): AsyncGenerator<TrainerEvent> {
  const { directory, logs, reports, draining } = dependencies;
  const found = await jobOfTrainer(directory, organisationId, trainer);
  const { reference } = found;
  const current = await takeOver(logs, found, trainer.attachmentId);
  if (current !== trainer.attachmentId) return yield { case: "detached", attachmentId: current };
  using follower = await logs.follow(reference);
  const setBack = await wasSetBack(dependencies, found, trainer, follower.start);
  const durableCounter = await reports.durableCounter(organisationId, reference.runId, reference.jobName);
  const job = follower.start;
  yield { case: "attached", found, job, durableCounter, activeSegment: activeSegmentIndex(job), setBack };
  const delivery = new Delivery(dependencies, found, setBack ? { ...trainer, lastSequence: 0 } : trainer);
  yield* delivery.pending(job);
  const over = AbortSignal.any([left, draining]);
  while (!over.aborted) {
    const news = await next(follower, over);
    if (!news) break;
    let silent = true;
    for (const written of news) {
      for await (const event of delivery.news(written)) {
        silent = false;
        yield event;
      }
    }
    // Entries that do not concern the trainer, its own checkpoints above all, must not leave it without a sign of life.
    if (silent && !over.aborted) yield { case: "heartbeat" };
    const replacement = news.at(-1)?.job.attachment?.id;
    if (replacement && replacement !== trainer.attachmentId) {
      return yield { case: "detached", attachmentId: replacement };
    }
  }
  if (!left.aborted) yield { case: "reconnect" };
}

/** Whether the trainer finished with a command that this log does not have: it was restored from a backup since. */
async function wasSetBack(
  { logStore }: AttachDependencies,
  { reference }: DirectoryEntry,
  { lastSequence, lastCommandId }: AttachingTrainer,
  job: JobSnapshot,
): Promise<boolean> {
  if (lastSequence > job.lastSequence) return true;
  if (lastCommandId === undefined || lastSequence === 0) return false;
  return (await logStore.byCommandId(reference.organisationId, reference, lastCommandId)) === undefined;
}

/** A trainer that is told faster than it reads attaches again; its commands are pending still. */
async function next(
  follower: Awaited<ReturnType<JobLogs["follow"]>>,
  over: AbortSignal,
): Promise<Written[] | undefined> {
  try {
    return await follower.next(HEARTBEAT_MS, over);
  } catch (error) {
    if (error instanceof FollowerOverrunError) return undefined;
    throw error;
  }
}

/** The attachment that is the job's from now on: this one, unless it was replaced before. */
function takeOver(logs: JobLogs, { reference }: DirectoryEntry, attachmentId: string): Promise<string> {
  return logs.decide<string>(reference, (job) => {
    const current = job.attachment?.id;
    if (current === attachmentId) return { answer: attachmentId };
    if (current && job.replacedAttachments.includes(attachmentId)) return { answer: current };
    const facts = { attachment: { id: attachmentId } };
    return { draft: { kind: "trainer_attached", facts }, answer: () => attachmentId };
  });
}

/** What one trainer was told of its commands. */
class Delivery {
  readonly #logStore: JobLogStore;
  readonly #found: DirectoryEntry;
  readonly #trainer: AttachingTrainer;
  readonly #delivered = new Map<number, { id: string; checkpointId: string | undefined }>();

  constructor({ logStore }: AttachDependencies, found: DirectoryEntry, trainer: AttachingTrainer) {
    this.#logStore = logStore;
    this.#found = found;
    this.#trainer = trainer;
  }

  /** Every pending command that the trainer has not finished with. */
  async *pending(job: JobSnapshot): AsyncGenerator<TrainerEvent> {
    for (const pending of job.pending) {
      if (pending.sequence > this.#trainer.lastSequence) yield* this.#deliver(job, pending, undefined);
    }
  }

  /** What an entry means to the trainer. */
  async *news({ entry, job }: Written): AsyncGenerator<TrainerEvent> {
    yield* this.#withdraw(entry);
    const { command } = entry.facts;
    const added = command && job.pending.bySequence(command.sequence);
    if (added) yield* this.#deliver(job, added, entry);
    const { first } = job.pending;
    if (entry.facts.resolutions && first) yield* this.#deliverAgain(job, first);
  }

  *#withdraw({ facts }: JobEntry): Generator<TrainerEvent> {
    for (const { sequences, attachmentId, detail = "" } of facts.resolutions ?? []) {
      for (const sequence of sequences) {
        const told = this.#delivered.get(sequence);
        this.#delivered.delete(sequence);
        if (told && attachmentId !== this.#trainer.attachmentId) {
          yield { case: "withdrawal", commandId: told.id, sequence, detail };
        }
      }
    }
  }

  /** A command that has become the next may use another checkpoint than when it was told, such as a pause's. */
  async *#deliverAgain(job: JobSnapshot, first: PendingCommand): AsyncGenerator<TrainerEvent> {
    const told = this.#delivered.get(first.sequence);
    if (told && told.checkpointId !== this.#resolve(job, first)) yield* this.#deliver(job, first, undefined);
  }

  async *#deliver(
    job: JobSnapshot,
    pending: PendingCommand,
    known: JobEntry | undefined,
  ): AsyncGenerator<TrainerEvent> {
    const { reference } = this.#found;
    const entry = known ?? (await this.#logStore.at(reference.organisationId, reference, pending.position));
    const command = entry?.facts.command;
    if (!command) return;
    const traceparent = entry?.traceparent;
    const checkpointId = this.#resolve(job, pending);
    this.#delivered.set(pending.sequence, { id: pending.id, checkpointId });
    const resolved = checkpointId ? { resolvedCheckpointId: checkpointId } : {};
    const traced = traceparent === undefined ? {} : { traceparent };
    yield { case: "command", command, epoch: pending.epoch, ...resolved, ...traced };
  }

  #resolve(job: JobSnapshot, pending: PendingCommand): string | undefined {
    if (!usesCheckpoint(pending.action)) return undefined;
    const isNext = job.pending.first?.sequence === pending.sequence;
    const seen = isNext ? { ...job, pending: PendingCommands.none } : job;
    return chooseCheckpoint(seen, this.#found.job, pending).checkpoint?.id;
  }
}
