import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { writeDurably } from "../checkpoints/durable-file.ts";
import type { RunDataset } from "../datasets/run-dataset.ts";
import type { Outcome, StartingPoint } from "../workload.ts";

/**
 * Where the trainer stands: `new` before the first start, `running`, `paused` with nothing loaded, `complete` when the
 * schedule has run out and the result is not published yet, `failed`, `ended` when there is nothing left to do.
 */
export type TrainerStatus = "new" | "running" | "paused" | "complete" | "failed" | "ended";

/** How to get back to where training is, even if memory is lost. */
export interface Position extends StartingPoint {
  /** Changes since, by the step before which they were made. */
  changes: { step: number; overrides: object }[];
}

/** What a command changes, and what it takes to undo it. */
export interface Standing {
  status: TrainerStatus;
  position: Position;
}

/** What has to survive the process. */
export interface JournalState extends Standing {
  version: 1;
  runId: string;
  jobName: string;
  /** Kept over restarts, so that the platform knows an acknowledgement that is sent again. */
  attachmentId: string;
  /** The job's declaration, once it is known. */
  configuration?: object;
  /** Versions of datasets that its run reads, once they are known. */
  datasets?: RunDataset[];
  /** Sequence of the last command that is finished with. */
  lastSequence: number;
  /** Its id; absent where a version of this trainer that did not keep it has written last. */
  lastCommandId?: string;
  /** Highest fencing epoch seen. */
  epoch: number;
  /** Active segment. */
  segment: number;
  /** Of the newest command. */
  outcome?: Outcome;
  /** Where to go back to if the platform decided that command otherwise. */
  undo?: Standing;
}

/** A journal that cannot be used; the message says what to do. */
export class JournalError extends Error {
  override name = "JournalError";
}

/** The trainer's memory on disk: one small file, replaced durably at every change. */
export class Journal {
  readonly #path: string;
  #state: JournalState;

  private constructor(path: string, state: JournalState) {
    this.#path = path;
    this.#state = state;
  }

  /** Reads the directory's journal, or begins one. @throws JournalError when it is another job's or damaged. */
  static async open(directory: string, job: { runId: string; jobName: string }): Promise<Journal> {
    const path = join(directory, "state.json");
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return new Journal(path, { ...blank, ...job, attachmentId: uuid() });
    const state = parse(path, text);
    if (state.runId !== job.runId || state.jobName !== job.jobName) {
      throw new JournalError(`${path} belongs to job ${state.jobName} of run ${state.runId}: use another directory`);
    }
    return new Journal(path, state);
  }

  get state(): Readonly<JournalState> {
    return this.#state;
  }

  /** Resolves when the change is durable. A field given as undefined is removed. */
  async write(change: { [F in keyof JournalState]?: JournalState[F] | undefined }): Promise<void> {
    const kept = Object.entries({ ...this.#state, ...change }).filter(([, value]) => value !== undefined);
    this.#state = parse(this.#path, JSON.stringify(Object.fromEntries(kept)));
    await writeDurably(this.#path, JSON.stringify(this.#state, undefined, 1));
  }
}

const blank: Omit<JournalState, "runId" | "jobName" | "attachmentId"> = {
  version: 1,
  lastSequence: 0,
  epoch: 0,
  segment: 0,
  status: "new",
  position: { checkpointId: null, restore: "full", overrides: {}, changes: [] },
};

function parse(path: string, text: string): JournalState {
  try {
    const state: JournalState = JSON.parse(text);
    if (state.version === 1) return state;
  } catch (cause) {
    throw new JournalError(`${path} is damaged: restore it, or start from an empty directory`, { cause });
  }
  throw new JournalError(`${path} was written by another version of this trainer`);
}
