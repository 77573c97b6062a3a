import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file so that after any crash either the old or the whole new content is there: written beside it, synced,
 * renamed, and the directory synced.
 */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncDirectory(dirname(path));
}

/** Makes the names of the files in it durable. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows has no handle of a directory to sync.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
