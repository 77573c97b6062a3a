import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Writes a file that only its owner may read, whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}
