import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { syncDirectory } from "../checkpoints/durable-file.ts";
import { DatasetDigestError, DatasetError, type RunDataset } from "../datasets/run-dataset.ts";
import { AttemptPauses } from "../link/attempt-pauses.ts";

/** Bytes of a version that are wanted: those from `offset` on. */
export interface WantedBytes {
  runId: string;
  versionId: string;
  contentSha256: string;
  offset: number;
  signal: AbortSignal;
}

/** Bytes of a version. `isRest`: from the offset on; otherwise all. */
export interface GivenBytes {
  isRest: boolean;
  pieces: AsyncIterable<Uint8Array>;
}

/** Reads a version that the run names. @throws ConnectError */
export type DownloadDataset = (wanted: WantedBytes) => Promise<GivenBytes>;

export interface DatasetFilesOptions {
  runId: string;
  /** Where files are kept, by their digests. Trainers may share it; whatever is in it may be removed at any time. */
  directory: string;
  /** Names the parts of this trainer: no other process writes them. */
  attachmentId: string;
  download: DownloadDataset | undefined;
  /** Downloads are given up. */
  stopped: AbortSignal;
  log: (line: string) => void;
}

const maxAttempts = 8;
/** Age at which a part that nothing was added to is removed, ms. */
const leftoverMs = 86_400_000;
const passing: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);

/** Files of versions of datasets: what one trainer has downloaded, others that use the same directory read. */
export class DatasetFiles {
  readonly #options: DatasetFilesOptions;
  /** By digest; each is fetched once at a time. */
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #verified = new Set<string>();

  constructor(options: DatasetFilesOptions) {
    this.#options = options;
  }

  /**
   * The file of a version, fetched and verified.
   * @throws DatasetError when it cannot be had, DatasetDigestError when it has other bytes, ConnectError when the platform stays away
   */
  pathOf(version: RunDataset): Promise<string> {
    const { contentSha256 } = version;
    const known = this.#underWay.get(contentSha256);
    if (known) return known;
    const fetching = this.#verifiedPath(version).finally(() => this.#underWay.delete(contentSha256));
    this.#underWay.set(contentSha256, fetching);
    return fetching;
  }

  async #verifiedPath(version: RunDataset): Promise<string> {
    const path = join(this.#options.directory, `${version.contentSha256}.parquet`);
    try {
      if (!(this.#verified.has(path) && (await statOf(path)))) await this.#makeSure(version, path);
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      throw new DatasetError(
        `the file of "${version.name}" cannot be kept in ${this.#options.directory} (${error.message}): ` +
          "free some space, or choose another directory of datasets",
        { cause: error },
      );
    }
    this.#verified.add(path);
    return path;
  }

  async #makeSure(version: RunDataset, path: string): Promise<void> {
    const { directory, attachmentId, log } = this.#options;
    if (await statOf(path)) {
      if ((await digestOf(path)) === version.contentSha256) return;
      log(`${path} has other bytes than its name says: it is fetched again`);
      await rm(path, { force: true });
    }
    await mkdir(directory, { recursive: true });
    await removeLeftovers(directory);
    const part = join(directory, `${version.contentSha256}.${attachmentId}.part`);
    await this.#fetch(version, part);
    const sha256 = await digestOf(part);
    if (sha256 !== version.contentSha256) {
      await rm(part);
      throw new DatasetDigestError(version, sha256);
    }
    await rename(part, path);
    await syncDirectory(directory);
    log(`fetched "${version.name}", version ${version.number}, ${version.sizeBytes} bytes`);
  }

  /** Goes on with what an attempt before has left, also one of a process that was killed. */
  async #fetch(version: RunDataset, part: string): Promise<void> {
    const pauses = new AttemptPauses();
    const { stopped, log } = this.#options;
    let failures = 0;
    while (true) {
      const size = (await statOf(part))?.size ?? 0;
      if (size >= version.sizeBytes) return;
      await this.#assertRoom(version, version.sizeBytes - size);
      try {
        await this.#goOn(version, part, size);
      } catch (error) {
        if (stopped.aborted) throw new ConnectError("stopped before the data was there", Code.Canceled);
        if (!(error instanceof ConnectError)) throw error;
        if (!passing.has(error.code)) {
          throw new DatasetError(`the platform does not give "${version.name}": ${error.rawMessage}`, { cause: error });
        }
        const grown = ((await statOf(part))?.size ?? 0) > size;
        if (grown) pauses.reset();
        failures = grown ? 1 : failures + 1;
        if (failures >= maxAttempts) throw error;
        log(`fetching "${version.name}" goes on soon: ${error.rawMessage}`);
        await pauses.pause(stopped);
      }
    }
  }

  async #goOn({ versionId, contentSha256, sizeBytes, name }: RunDataset, part: string, size: number): Promise<void> {
    const { download, runId, stopped: signal } = this.#options;
    if (!download) {
      throw new DatasetError(
        `"${name}" cannot be fetched: use connectOverHttps, or give runTrainer a download of your own`,
      );
    }
    const { isRest, pieces } = await download({ runId, versionId, contentSha256, offset: size, signal });
    await using file = await open(part, isRest ? "a" : "w");
    let room = sizeBytes - (isRest ? size : 0);
    for await (const piece of pieces) {
      // Longer than it should be, it has another digest; it is not let grow without end.
      await file.writeFile(piece.subarray(0, room + 1));
      room -= piece.byteLength;
      if (room < 0) return;
    }
    if (room > 0) throw new ConnectError(`the answer ended ${room} bytes early`, Code.Unavailable);
    await file.sync();
  }

  async #assertRoom({ name }: RunDataset, missing: number): Promise<void> {
    const { directory } = this.#options;
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= missing) return;
    throw new DatasetError(
      `"${name}" needs ${missing} more bytes, and the disk of ${directory} has ${bavail * bsize}: ` +
        "free some, or choose another directory of datasets",
    );
  }
}

/** Undefined where there is no such file. */
function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) digest.update(piece);
  return digest.digest("hex");
}

/** Removes parts that no trainer has gone on with. */
async function removeLeftovers(directory: string): Promise<void> {
  const parts = (await readdir(directory)).filter((name) => name.endsWith(".part"));
  for (const path of parts.map((name) => join(directory, name))) {
    const found = await statOf(path);
    if (found && Date.now() - found.mtimeMs > leftoverMs) await rm(path, { force: true });
  }
}

function isOfDisk(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
