import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const name = ".scratch";

/** Where processes write, below the directory of an engine. What an engine before it has left there goes. */
export async function openScratch(directory: string): Promise<string> {
  const home = join(directory, name);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true, mode: 0o711 });
  return home;
}

/** The folder in which one process writes. */
export class ScratchFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(home: string): Promise<ScratchFolder> {
    const path = join(home, randomUUID());
    await mkdir(path, { mode: 0o700 });
    return new ScratchFolder(path);
  }

  /** Bytes of all its files. */
  async size(): Promise<number> {
    const names = await readdir(this.path).catch(() => []);
    const sizes = await Promise.all(
      // A file that goes meanwhile takes nothing.
      names.map((each) =>
        lstat(join(this.path, each)).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, each) => sum + each, 0);
  }

  /** Removes what is in it: parts of what was not finished. */
  async clear(): Promise<void> {
    const names = await readdir(this.path).catch(() => []);
    await Promise.all(names.map((each) => rm(join(this.path, each), { force: true })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
