import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";

/**
 * Puts a file that a process wrote, and which is gone now, where it belongs; returns what it is. It becomes ours, and all may read it.
 * @throws when it is no plain file
 */
export async function publishFile(from: string, to: string): Promise<{ sizeBytes: number; sha256: string }> {
  await using handle = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  const stats = await handle.stat();
  if (!stats.isFile() || stats.nlink !== 1) throw new Error("a process has made something else than a file");
  await handle.chown(process.getuid?.() ?? stats.uid, process.getgid?.() ?? stats.gid);
  await handle.chmod(0o644);
  const hash = createHash("sha256");
  for await (const part of handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 262_144 }))
    hash.update(part);
  await rename(from, to);
  return { sizeBytes: stats.size, sha256: hash.digest("hex") };
}
