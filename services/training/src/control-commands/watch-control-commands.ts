import type { JobEntry, JobReference } from "../job-log/job-entry.ts";
import { entryOf, type JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import { commandsIn, readCommands } from "./command-view.ts";
import type { ControlCommand } from "./control-command.ts";

export interface WatchControlCommandsDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
}

/** Where to begin: after a position of the log, or after a sequence. */
export interface WatchStart {
  afterPosition?: number;
  afterSequence: number;
}

export interface WatchOptions extends WatchStart {
  signal: AbortSignal;
}

/** A command after an entry. */
export interface CommandChange {
  /** To go on after it. */
  position: number;
  command: ControlCommand;
}

const pageSize = 500;
/** How often a stream without changes looks whether its run is still there, should no message tell. */
const pollIntervalMs = 30_000;

/**
 * Each recording and each outcome of a job's commands, in the order of the log: first what is there, then what comes.
 * Ends when the signal aborts.
 * @throws JobNotFoundError
 */
export async function* watchControlCommands(
  { directory, logs, logStore }: WatchControlCommandsDependencies,
  organisationId: string,
  address: JobAddress,
  { signal, ...start }: WatchOptions,
): AsyncGenerator<CommandChange> {
  const { reference } = await directory.get(organisationId, address);
  using follower = await logs.follow(reference);
  const begin = start.afterPosition ?? (await positionOf(logStore, reference, start.afterSequence));
  const changes = new CommandChanges(logStore, reference, start.afterSequence);
  for (let position = begin; position < follower.start.position && !signal.aborted; ) {
    const page = await logStore.after(organisationId, reference, position, pageSize);
    for (const document of page) {
      if (document.position <= follower.start.position) yield* changes.of(entryOf(document));
    }
    position = page.at(-1)?.position ?? follower.start.position;
  }
  while (!signal.aborted) {
    // The run may have been deleted.
    await directory.get(organisationId, address);
    for (const { entry } of await follower.next(pollIntervalMs, signal)) {
      if (entry.position > begin) yield* changes.of(entry);
    }
  }
}

/** Position of the entry that recorded the sequence; 0 for the beginning, and for sequences that are not there yet. */
async function positionOf(store: JobLogStore, job: JobReference, sequence: number): Promise<number> {
  if (sequence === 0) return 0;
  const [first] = await store.touching(job.organisationId, job, sequence, sequence);
  return first?.position ?? 0;
}

class CommandChanges {
  readonly #store: JobLogStore;
  readonly #job: JobReference;
  readonly #afterSequence: number;
  /** Commands that were sent as pending, to be sent again with their outcome. */
  readonly #pending = new Map<number, ControlCommand>();

  constructor(store: JobLogStore, job: JobReference, afterSequence: number) {
    this.#store = store;
    this.#job = job;
    this.#afterSequence = afterSequence;
  }

  /** Several commands may change with one entry; only the last bears its position, so that a cut loses none. */
  async *of(entry: JobEntry): AsyncGenerator<CommandChange> {
    for (const { sequences } of entry.facts.resolutions ?? []) await this.#learn(sequences);
    const commands = commandsIn(entry, this.#pending).filter(({ sequence }) => sequence > this.#afterSequence);
    for (const [index, command] of commands.entries()) {
      if (command.status === "pending") this.#pending.set(command.sequence, command);
      else this.#pending.delete(command.sequence);
      yield { position: index === commands.length - 1 ? entry.position : entry.position - 1, command };
    }
  }

  async #learn(sequences: number[]): Promise<void> {
    const unknown = sequences.filter((sequence) => !this.#pending.has(sequence) && sequence > this.#afterSequence);
    const [first] = unknown;
    if (first === undefined) return;
    const known = await readCommands(this.#store, this.#job, first, unknown.at(-1) ?? first);
    for (const sequence of unknown) {
      const command = known.get(sequence);
      if (command) this.#pending.set(sequence, command);
    }
  }
}
