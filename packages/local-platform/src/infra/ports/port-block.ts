import { closeSync, mkdirSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryLock } from "fs-native-extensions";

/**
 * Below the range from which systems take the ports of outgoing connections (32768 on Linux, 49152 on macOS): one of
 * those could occupy a port between our choosing it and a process of ours listening there.
 */
const min = 10_240;
const blockSize = 64;
const blockCount = (32_768 - min) / blockSize;

/** Ports that no other process of this user chooses from. */
export interface PortBlock {
  /** Each port comes once. Undefined when all have come. */
  next(): number | undefined;
}

/**
 * Claims a block by a lock on a file, which the system releases when this process ends. A port that is only looked at and then
 * handed to a process could be handed out twice, by two platforms that start at the same time.
 */
export function claimPortBlock(): PortBlock {
  const directory = join(tmpdir(), `aiplatform-ports-${process.getuid?.()}`);
  mkdirSync(directory, { recursive: true });
  const start = process.pid % blockCount;
  for (let step = 0; step < blockCount; step += 1) {
    const block = (start + step) % blockCount;
    // It stays open, and with it the lock, for as long as the process runs.
    const file = openSync(join(directory, String(block)), "a");
    if (tryLock(file)) return portsOf(block);
    closeSync(file);
  }
  throw new Error(`all ${blockCount} blocks of ports are in use: stop platforms that you do not need`);
}

function portsOf(block: number): PortBlock {
  const first = min + block * blockSize;
  let used = 0;
  return { next: () => (used < blockSize ? first + used++ : undefined) };
}
