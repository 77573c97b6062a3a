import { chooseCheckpoint } from "../control-commands/checkpoint-choice.ts";
import { type ControlCommand, usesCheckpoint } from "../control-commands/control-command.ts";
import type { JobEntry } from "../job-log/job-entry.ts";
import { FollowerOverrunError, type JobChange } from "../job-log/job-follower.ts";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { activeSegmentIndex, type JobSnapshot } from "../job-log/job-snapshot.ts";
import { type PendingCommand, PendingCommands } from "../job-log/pending-commands.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import { type ArchiveDependencies, assertNotArchived } from "../runs/archived-run.ts";
import type { DirectoryEntry, JobDirectory } from "../runs/job-directory.ts";

export interface AttachTrainerDependencies extends ArchiveDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  metricBuckets: Pick<MetricBucketStore, "tailOf">;
  /** Aborted when this replica drains. */
  draining: AbortSignal;
}

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
  | { case: "pruned"; checkpointIds: string[] }
  | { case: "heartbeat" }
  | { case: "reconnect" }
  | { case: "detached"; attachmentId: string };

/** Identifies a job and the trainer process that is attached to it. */
export interface TrainerAddress {
  /** Where the trainer knows it: the run must be of that pipeline. */
  pipelineId?: string | undefined;
  runId: string;
  jobName: string;
  attachmentId: string;
}

/** A trainer process that attaches. */
export interface AttachingTrainer extends TrainerAddress {
  /** Sequence of the last command it finished with; 0: none. */
  lastSequence: number;
  /** Its id, where the trainer knows it. */
  lastCommandId?: string | undefined;
}

const heartbeatIntervalMs = 10_000;

/**
 * Makes the caller the job's trainer and sends it its commands, until it leaves, is replaced, or this replica drains.
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 */
export async function* attachTrainer(
  dependencies: AttachTrainerDependencies,
  organisationId: string,
  trainer: AttachingTrainer,
  left: AbortSignal,
): AsyncGenerator<TrainerEvent> {
  const { directory, logs, metricBuckets, draining } = dependencies;
  const found = await directory.get(organisationId, trainer);
  const { reference } = found;
  await assertNotArchived(dependencies, found.run);
  const current = await attach(logs, found, trainer.attachmentId);
  if (current !== trainer.attachmentId) return yield { case: "detached", attachmentId: current };
  using follower = await logs.follow(reference);
  const setBack = await wasSetBack(dependencies, found, trainer, follower.start);
  const lastReport = await metricBuckets.tailOf(organisationId, reference.runId, reference.jobName);
  const durableCounter = lastReport?.counter ?? 0;
  const job = follower.start;
  yield { case: "attached", found, job, durableCounter, activeSegment: activeSegmentIndex(job), setBack };
  const deliveries = new CommandDeliveries(dependencies, found, setBack ? { ...trainer, lastSequence: 0 } : trainer);
  yield* deliveries.pending(job);
  const over = AbortSignal.any([left, draining]);
  while (!over.aborted) {
    const changes = await next(follower, over);
    if (!changes) break;
    let silent = true;
    for (const change of changes) {
      for await (const event of deliveries.after(change)) {
        silent = false;
        yield event;
      }
    }
    // Entries that do not concern the trainer, its own checkpoints above all, must not leave it without a heartbeat.
    if (silent && !over.aborted) yield { case: "heartbeat" };
    // The run may have been deleted.
    await directory.get(organisationId, trainer);
    const replacement = changes.at(-1)?.job.attachment?.id;
    if (replacement && replacement !== trainer.attachmentId) {
      return yield { case: "detached", attachmentId: replacement };
    }
  }
  if (!left.aborted) yield { case: "reconnect" };
}

/** Whether the trainer finished with a command that this log does not have: it was restored from a backup since. */
async function wasSetBack(
  { logStore }: AttachTrainerDependencies,
  { reference }: DirectoryEntry,
  { lastSequence, lastCommandId }: AttachingTrainer,
  job: JobSnapshot,
): Promise<boolean> {
  if (lastSequence > job.lastSequence) return true;
  if (lastCommandId === undefined || lastSequence === 0) return false;
  return (await logStore.byCommandId(reference.organisationId, reference, lastCommandId)) === undefined;
}

/** Undefined for a trainer that reads too slowly: it attaches again, and its commands are still pending. */
async function next(
  follower: Awaited<ReturnType<JobLogs["follow"]>>,
  over: AbortSignal,
): Promise<JobChange[] | undefined> {
  try {
    return await follower.next(heartbeatIntervalMs, over);
  } catch (error) {
    if (error instanceof FollowerOverrunError) return undefined;
    throw error;
  }
}

/** Returns the job's attachment from now on: this one, unless it was replaced before. */
export function attach(logs: JobLogs, { reference }: DirectoryEntry, attachmentId: string): Promise<string> {
  return logs.decide<string>(reference, (job) => {
    const current = job.attachment?.id;
    if (current === attachmentId) return { answer: attachmentId };
    if (current && job.replacedAttachments.includes(attachmentId)) return { answer: current };
    const facts = { attachment: { id: attachmentId } };
    return { draft: { kind: "trainer_attached", facts }, answer: () => attachmentId };
  });
}

/** The commands that one trainer was sent. */
class CommandDeliveries {
  readonly #logStore: JobLogStore;
  readonly #found: DirectoryEntry;
  readonly #trainer: AttachingTrainer;
  readonly #delivered = new Map<number, { id: string; checkpointId: string | undefined }>();

  constructor({ logStore }: AttachTrainerDependencies, found: DirectoryEntry, trainer: AttachingTrainer) {
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

  /** What an entry changes for the trainer. */
  async *after({ entry, job }: JobChange): AsyncGenerator<TrainerEvent> {
    yield* this.#withdraw(entry);
    const { command, pruned } = entry.facts;
    if (pruned) yield { case: "pruned", checkpointIds: pruned };
    const added = command && job.pending.bySequence(command.sequence);
    if (added) yield* this.#deliver(job, added, entry);
    const { first } = job.pending;
    if (entry.facts.resolutions && first) yield* this.#deliverAgain(job, first);
  }

  *#withdraw({ facts }: JobEntry): Generator<TrainerEvent> {
    for (const { sequences, attachmentId, detail = "" } of facts.resolutions ?? []) {
      for (const sequence of sequences) {
        const delivered = this.#delivered.get(sequence);
        this.#delivered.delete(sequence);
        if (delivered && attachmentId !== this.#trainer.attachmentId) {
          yield { case: "withdrawal", commandId: delivered.id, sequence, detail };
        }
      }
    }
  }

  /** A command that has become the next may use another checkpoint than when it was sent, such as a pause's. */
  async *#deliverAgain(job: JobSnapshot, first: PendingCommand): AsyncGenerator<TrainerEvent> {
    const delivered = this.#delivered.get(first.sequence);
    if (delivered && delivered.checkpointId !== this.#resolve(job, first)) yield* this.#deliver(job, first, undefined);
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
