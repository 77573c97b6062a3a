import { createReadStream, type Dirent } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderOfOrganisation, pathOfArtifact } from "./artifact-store.ts";
import { removeFolder, temporaryFolder } from "./directory-store.ts";
import { isMissing, reported } from "./file-errors.ts";
import type { UploadStore } from "./upload-store.ts";

const uploadsFolder = ".uploads";

/** Uploads in files that grow, in the directory of the artifacts. */
export class DirectoryUploads implements UploadStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async receivedBytes(organisationId: string, sha256: string): Promise<number> {
    return orMissing(async () => (await stat(this.#pathOf(organisationId, sha256))).size, 0);
  }

  async write(
    organisationId: string,
    sha256: string,
    { offset, bytes }: { offset: number; bytes: Uint8Array },
  ): Promise<void> {
    const path = this.#pathOf(organisationId, sha256);
    try {
      await mkdir(dirname(path), { recursive: true });
      await using file = await open(path, "a+", 0o640).then(async (created) => {
        await created.close();
        return open(path, "r+");
      });
      for (let written = 0; written < bytes.byteLength; ) {
        const left = bytes.byteLength - written;
        written += (await file.write(bytes, written, left, offset + written)).bytesWritten;
      }
      await file.datasync();
    } catch (error) {
      throw reported(error);
    }
  }

  async *read(organisationId: string, sha256: string): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(this.#pathOf(organisationId, sha256), { highWaterMark: 256 * 1024 });
    } catch (error) {
      if (!isMissing(error)) throw reported(error);
    }
  }

  async forget(organisationId: string, sha256: string): Promise<void> {
    await rm(this.#pathOf(organisationId, sha256), { force: true });
  }

  async count(organisationId: string): Promise<number> {
    const names = await filesBelow(join(this.#root, uploadsFolder, organisationId));
    return names.length;
  }

  async forgetAll(organisationId: string): Promise<void> {
    await removeFolder(join(this.#root, uploadsFolder, folderOfOrganisation(organisationId)));
  }

  async sweep(before: Date): Promise<void> {
    for (const folder of [uploadsFolder, temporaryFolder]) {
      for (const path of await filesBelow(join(this.#root, folder))) {
        const changed = await orMissing(async () => (await stat(path)).mtimeMs, Number.POSITIVE_INFINITY);
        if (changed < before.getTime()) await rm(path, { force: true });
      }
    }
  }

  #pathOf(organisationId: string, sha256: string): string {
    return join(this.#root, uploadsFolder, pathOfArtifact(organisationId, sha256));
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await orMissing<Dirent[]>(() => readdir(folder, { recursive: true, withFileTypes: true }), []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function orMissing<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw reported(error);
  }
}
