import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@aiplatform/service-host";
import type { ArtifactRef } from "../other-services/stored-artifacts.ts";

/** Where the bytes of an artifact are written to a file. */
export interface ArtifactSource {
  download(artifact: ArtifactRef, path: string, signal: AbortSignal): Promise<void>;
}

export interface ParquetCacheOptions {
  /** Of this process alone. */
  directory: string;
  /** Of all files together. */
  maxBytes: number;
  artifacts: ArtifactSource;
  logger: Pick<Logger, "warn">;
}

/** Everything that could make room is in use. */
export class CacheFullError extends Error {
  override name = "CacheFullError";
  constructor() {
    super("All room for data is in use at the moment. Ask again in a moment");
  }
}

/** The data does not fit into the cache, whatever is removed from it. */
export class CacheTooSmallError extends Error {
  override name = "CacheTooSmallError";
  readonly bytes: number;
  readonly maxBytes: number;
  constructor(bytes: number, maxBytes: number) {
    super(`${bytes} bytes are more than this installation reads at once, which is ${maxBytes} (DATA_CACHE_BYTES)`);
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}

interface CachedFile {
  readonly artifact: ArtifactRef;
  readonly sizeBytes: number;
  /** Settled once the file is there. */
  readonly arrival: Promise<void>;
  uses: number;
  lastUsed: number;
}

const suffix = ".parquet";
/** What reads the files in a sandbox may be another user; the sandbox shows it the folder of one organisation. */
const readable = 0o755;

/** Copies of data on the disk, below `directory/organisation`. Above `maxBytes`, those that were not used for the longest time go. */
export class ParquetCache {
  readonly #options: ParquetCacheOptions;
  readonly #files = new Map<string, CachedFile>();
  #reservedBytes = 0;
  #uses = 0;

  private constructor(options: ParquetCacheOptions) {
    this.#options = options;
  }

  /** Opens the directory: whole copies of an earlier process are used, all else in it is removed. */
  static async open(options: ParquetCacheOptions): Promise<ParquetCache> {
    const cache = new ParquetCache(options);
    await mkdir(options.directory, { recursive: true, mode: 0o711 });
    await cache.#takeOver();
    return cache;
  }

  /** The folder of an organisation; what reads its data sees this folder alone. */
  async folderOf(organisationId: string): Promise<string> {
    const folder = join(this.#options.directory, organisationId);
    await mkdir(folder, { recursive: true, mode: readable });
    return folder;
  }

  /** Runs `work` on a copy, which is fetched where it is not there. It stays until `work` has ended. @throws CacheFullError, CacheTooSmallError */
  async use<T>(
    artifact: ArtifactRef & { sizeBytes: number },
    signal: AbortSignal,
    work: (path: string) => Promise<T>,
  ): Promise<T> {
    const file = this.#files.get(keyOf(artifact)) ?? this.#fetch(artifact);
    file.uses += 1;
    try {
      await abortable(file.arrival, signal);
      file.lastUsed = ++this.#uses;
      const path = this.#pathOf(artifact);
      // The order of use outlives the process.
      await utimes(path, new Date(), new Date()).catch(() => undefined);
      return await work(path);
    } finally {
      file.uses -= 1;
    }
  }

  /** Takes over a file that was just made, by renaming it. */
  async adopt(artifact: ArtifactRef & { sizeBytes: number }, path: string): Promise<void> {
    if (this.#files.has(keyOf(artifact))) return;
    await this.#makeRoom(artifact.sizeBytes);
    await rename(path, this.#pathOf(artifact));
    this.#note(artifact, Promise.resolve());
  }

  /** Room for other files of so many bytes, until it is released. @throws CacheFullError, CacheTooSmallError */
  async reserve(bytes: number): Promise<Disposable> {
    await this.#makeRoom(bytes);
    this.#reservedBytes += bytes;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#reservedBytes -= bytes;
        isHeld = false;
      },
    };
  }

  /** Removes copies that are not in use and of which `areNeeded` does not name the digest. */
  async sweep(areNeeded: (organisationId: string, digests: readonly string[]) => Promise<readonly string[]>) {
    const idle = [...this.#files.values()].filter(({ uses }) => uses === 0).map(({ artifact }) => artifact);
    for (const [organisationId, artifacts] of Map.groupBy(idle, (each) => each.organisationId)) {
      const digests = artifacts.map(({ sha256 }) => sha256);
      const needed = new Set(await areNeeded(organisationId, digests));
      for (const artifact of artifacts) if (!needed.has(artifact.sha256)) await this.remove(artifact);
    }
  }

  /** Removes a copy unless it is in use. */
  async remove(artifact: ArtifactRef): Promise<void> {
    const file = this.#files.get(keyOf(artifact));
    if (!file || file.uses > 0) return;
    this.#files.delete(keyOf(artifact));
    await rm(this.#pathOf(artifact), { force: true });
  }

  /** Removes all copies of an organisation. Answers whether none of them is in use. */
  async removeOrganisation(organisationId: string): Promise<boolean> {
    const own = [...this.#files.values()].filter(({ artifact }) => artifact.organisationId === organisationId);
    for (const { artifact } of own) await this.remove(artifact);
    if (own.some(({ uses }) => uses > 0)) return false;
    await rm(join(this.#options.directory, organisationId), { recursive: true, force: true });
    return true;
  }

  #fetch(artifact: ArtifactRef & { sizeBytes: number }): CachedFile {
    const arrival = this.#download(artifact);
    const file = this.#note(artifact, arrival);
    arrival.catch(() => {
      if (this.#files.get(keyOf(artifact)) === file) this.#files.delete(keyOf(artifact));
    });
    return file;
  }

  /** Not ended by the request that began it: others may wait for the same copy. */
  async #download(artifact: ArtifactRef & { sizeBytes: number }): Promise<void> {
    await this.folderOf(artifact.organisationId);
    await this.#makeRoom(artifact.sizeBytes, keyOf(artifact));
    const path = this.#pathOf(artifact);
    const arriving = `${path}.part`;
    try {
      await this.#options.artifacts.download(artifact, arriving, AbortSignal.timeout(downloadMs));
      await rename(arriving, path);
    } finally {
      await rm(arriving, { force: true });
    }
  }

  #note(
    { organisationId, sha256, sizeBytes }: ArtifactRef & { sizeBytes: number },
    arrival: Promise<void>,
  ): CachedFile {
    const artifact = { organisationId, sha256 };
    const file = { artifact, sizeBytes, arrival, uses: 0, lastUsed: ++this.#uses };
    this.#files.set(keyOf(artifact), file);
    return file;
  }

  /** Removes the copies that were not used for the longest time. `except`: the one that the room is for, which counts already. */
  async #makeRoom(bytes: number, except?: string): Promise<void> {
    const { maxBytes } = this.#options;
    if (bytes > maxBytes) throw new CacheTooSmallError(bytes, maxBytes);
    const idle = [...this.#files].filter(([key, { uses }]) => key !== except && uses === 0);
    const oldestFirst = idle.map(([, file]) => file).toSorted((one, other) => one.lastUsed - other.lastUsed);
    const counted = except === undefined ? bytes : 0;
    for (const { artifact } of oldestFirst) {
      if (this.#bytes() + counted <= maxBytes) return;
      await this.remove(artifact);
    }
    if (this.#bytes() + counted > maxBytes) throw new CacheFullError();
  }

  #bytes(): number {
    return this.#files.values().reduce((sum, { sizeBytes }) => sum + sizeBytes, this.#reservedBytes);
  }

  #pathOf({ organisationId, sha256 }: ArtifactRef): string {
    return join(this.#options.directory, organisationId, `${sha256}${suffix}`);
  }

  async #takeOver(): Promise<void> {
    const { directory, logger } = this.#options;
    const found: { artifact: ArtifactRef & { sizeBytes: number }; usedAt: number }[] = [];
    for (const { name: organisationId } of await readdir(directory, { withFileTypes: true })) {
      if (!organisationPattern.test(organisationId)) continue;
      for (const name of await readdir(join(directory, organisationId))) {
        const path = join(directory, organisationId, name);
        const sha256 = filePattern.exec(name)?.[1];
        if (sha256 === undefined) {
          await rm(path, { recursive: true, force: true });
          continue;
        }
        const { size: sizeBytes, mtimeMs: usedAt } = await stat(path);
        found.push({ artifact: { organisationId, sha256, sizeBytes }, usedAt });
      }
    }
    const inOrder = found.toSorted((one, other) => one.usedAt - other.usedAt);
    for (const { artifact } of inOrder) this.#note(artifact, Promise.resolve());
    await this.#makeRoom(0).catch((error: unknown) => logger.warn({ err: error }, "the cache has too many bytes"));
  }
}

/** Time that fetching a copy may take, ms. */
const downloadMs = 3_600_000;
const organisationPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const filePattern = /^([0-9a-f]{64})\.parquet$/;

function keyOf({ organisationId, sha256 }: ArtifactRef): string {
  return `${organisationId}/${sha256}`;
}

/** @throws the reason of `signal`, if it aborts first */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
