import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SavedCheckpoint } from "../workload.ts";
import { type CheckpointCodec, CheckpointFileError, type CheckpointLabel } from "./checkpoint-codec.ts";
import { writeDurably } from "./durable-file.ts";

/** The checkpoint never existed or is no longer kept. */
export class CheckpointGoneError extends Error {
  override name = "CheckpointGoneError";
  readonly id: string;
  constructor(id: string) {
    super(`checkpoint ${id} is no longer kept by this trainer`);
    this.id = id;
  }
}

/** Where checkpoints lie, how they are written, and which are kept. */
export interface CheckpointStoreOptions<State> {
  directory: string;
  codec: CheckpointCodec<State>;
  /** Checkpoints kept besides the best and the pinned ones; older ones are deleted. Default 100. */
  maxCount?: number;
  /** More of this metric makes a checkpoint better. */
  primaryMetric: string;
}

/** Checkpoints in a directory, one file each. */
export class CheckpointStore<State extends { step: number }> {
  readonly #options: CheckpointStoreOptions<State>;
  /** By age, oldest first. */
  readonly #stored: SavedCheckpoint[];
  /** Files that were found damaged when the store was opened. */
  readonly damaged: readonly CheckpointFileError[];

  private constructor(
    options: CheckpointStoreOptions<State>,
    stored: SavedCheckpoint[],
    damaged: CheckpointFileError[],
  ) {
    this.#options = options;
    this.#stored = stored;
    this.damaged = damaged;
  }

  /** Opens the directory, making it if need be; half-written files of a crash are deleted. */
  static async open<State extends { step: number }>(
    options: CheckpointStoreOptions<State>,
  ): Promise<CheckpointStore<State>> {
    await mkdir(options.directory, { recursive: true });
    const stored: SavedCheckpoint[] = [];
    const damaged: CheckpointFileError[] = [];
    for (const name of await readdir(options.directory)) {
      const path = join(options.directory, name);
      if (name.endsWith(".new")) await rm(path, { force: true });
      if (!name.endsWith(".checkpoint")) continue;
      try {
        const bytes = await readFile(path);
        const { label, state } = options.codec.decode(path, bytes);
        stored.push(describe(path, bytes, { ...label, step: state.step }));
      } catch (error) {
        if (!(error instanceof CheckpointFileError)) throw error;
        damaged.push(error);
      }
    }
    stored.sort((a, b) => a.createdAt - b.createdAt || a.step - b.step);
    return new CheckpointStore(options, stored, damaged);
  }

  /** Oldest first. */
  list(): readonly SavedCheckpoint[] {
    return this.#stored;
  }

  find(id: string): SavedCheckpoint | undefined {
    return this.#stored.find((stored) => stored.id === id);
  }

  /** The one with the most of the primary metric, else the newest. */
  best(): SavedCheckpoint | undefined {
    const { primaryMetric } = this.#options;
    const measured = this.#stored.filter(({ metrics }) => metrics[primaryMetric] !== undefined);
    const by = (a: SavedCheckpoint, b: SavedCheckpoint) =>
      (b.metrics[primaryMetric] ?? 0) - (a.metrics[primaryMetric] ?? 0);
    return measured.sort(by)[0] ?? this.#stored.at(-1);
  }

  /** Resolves when the checkpoint is durable; then deletes what need not be kept, the `pinned` ids excepted. */
  async save(label: CheckpointLabel, state: State, pinned: readonly string[]): Promise<SavedCheckpoint> {
    const path = this.#pathOf(label.id);
    const bytes = this.#options.codec.encode(label, state);
    await writeDurably(path, bytes);
    const stored = describe(path, bytes, { ...label, step: state.step });
    this.#stored.push(stored);
    await this.#prune(new Set([...pinned, label.id]));
    return stored;
  }

  /** @throws CheckpointGoneError when it is no longer kept, CheckpointFileError when it is damaged */
  async load(id: string): Promise<State> {
    if (!this.find(id)) throw new CheckpointGoneError(id);
    const path = this.#pathOf(id);
    return this.#options.codec.decode(path, await readFile(path)).state;
  }

  /** Deletes a checkpoint; one that is not kept is none. */
  async discard(id: string): Promise<void> {
    const stored = this.find(id);
    if (!stored) return;
    await rm(this.#pathOf(id), { force: true });
    this.#stored.splice(this.#stored.indexOf(stored), 1);
  }

  #pathOf(id: string): string {
    return join(this.#options.directory, `${id}.checkpoint`);
  }

  async #prune(pinned: ReadonlySet<string>): Promise<void> {
    const best = this.best();
    const old = this.#stored.slice(0, -(this.#options.maxCount ?? 100));
    for (const { id } of old.filter(({ id }) => !pinned.has(id) && id !== best?.id)) await this.discard(id);
  }
}

function describe(path: string, bytes: Uint8Array, label: CheckpointLabel & { step: number }): SavedCheckpoint {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { ...label, uri: pathToFileURL(resolve(path)).href, sha256, sizeBytes: bytes.length };
}
