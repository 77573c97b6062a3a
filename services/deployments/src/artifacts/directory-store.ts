import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  ArtifactMissingError,
  type ArtifactStore,
  type ByteRange,
  folderOfOrganisation,
  isSha256,
  type ListedArtifact,
  pathOfArtifact,
} from "./artifact-store.ts";
import { isMissing, reported } from "./file-errors.ts";
import { verified } from "./verified-bytes.ts";

/** Bytes that are read at a time. */
const pieceBytes = 256 * 1024;

/** Folder of what is being written; on the same volume, so that it can be moved to its place in one step. */
export const temporaryFolder = ".temporary";

/** Artifacts in a directory: on one machine, or on a volume that every replica has. */
export class DirectoryStore implements ArtifactStore {
  readonly #root: string;
  readonly #maxBytes: number;

  constructor(root: string, { maxBytes }: { maxBytes: number }) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  async sizeOf(organisationId: string, sha256: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(organisationId, sha256))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw reported(error);
    }
  }

  async *list(organisationId: string): AsyncGenerator<ListedArtifact> {
    for (const sha256 of await namesBelow(join(this.#root, folderOfOrganisation(organisationId)))) {
      const sizeBytes = isSha256(sha256) ? await this.sizeOf(organisationId, sha256) : undefined;
      if (sizeBytes !== undefined) yield { sha256, sizeBytes };
    }
  }

  async put(
    organisationId: string,
    artifact: { sha256: string; sizeBytes?: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const path = this.#pathOf(organisationId, artifact.sha256);
    const known = await this.sizeOf(organisationId, artifact.sha256);
    if (known !== undefined) return known;
    const temporary = join(this.#root, temporaryFolder, randomUUID());
    try {
      await mkdir(dirname(temporary), { recursive: true });
      const size = await writeDurably(temporary, verified(bytes, { ...artifact, maxBytes: this.#maxBytes }));
      await mkdir(dirname(path), { recursive: true });
      await rename(temporary, path);
      await syncDirectory(dirname(path));
      return size;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw reported(error);
    }
  }

  async *read(organisationId: string, sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const part = range && { start: range.offset, end: range.offset + range.length - 1 };
    try {
      const stored = createReadStream(this.#pathOf(organisationId, sha256), { highWaterMark: pieceBytes, ...part });
      yield* range ? stored : verified(stored, { sha256 });
    } catch (error) {
      throw isMissing(error) ? new ArtifactMissingError(sha256) : reported(error);
    }
  }

  async remove(organisationId: string, sha256: string): Promise<void> {
    await removeFolder(this.#pathOf(organisationId, sha256));
  }

  async removeAll(organisationId: string): Promise<void> {
    await removeFolder(join(this.#root, folderOfOrganisation(organisationId)));
  }

  async ping(): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    await access(this.#root, constants.R_OK | constants.W_OK);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is kept open between calls.
  }

  #pathOf(organisationId: string, sha256: string): string {
    return join(this.#root, pathOfArtifact(organisationId, sha256));
  }
}

/** Removes a file, or a folder with everything below it; what is missing is removed. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
    await syncDirectory(dirname(path));
  } catch (error) {
    if (!isMissing(error)) throw reported(error);
  }
}

/** Names of files and folders; none where the folder is missing. */
async function namesBelow(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive: true, withFileTypes: true })).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw reported(error);
  }
}

/** Answers how many bytes lie on the disk now. */
async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(path, "wx", 0o640);
  await file.writeFile(bytes);
  await file.sync();
  return (await file.stat()).size;
}

/** Without this a power cut could take a name back whose file is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, "r");
  await directory.sync();
}
