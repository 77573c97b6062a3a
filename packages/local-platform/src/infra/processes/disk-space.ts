import { statfsSync } from "node:fs";

/** Below this, a process that ends has probably ended for want of space: mongod alone writes its journal in files of 100 MiB. */
const minFreeBytes = 256 * 1024 * 1024;

/** Says that there is little space left where `path` is, and what to do; undefined while there is enough. */
export function lowDiskSpace(path: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    return free < minFreeBytes
      ? `only ${Math.floor(free / 1024 / 1024)} MiB of disk are left, free some space`
      : undefined;
  } catch {
    return undefined;
  }
}
