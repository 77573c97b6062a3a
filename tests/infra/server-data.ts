import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
/** Several times what the servers of a run write. */
const minFreeBytes = 4 * 1024 ** 3;
const prefix = "aiplatform-infra-";
const pidOf = new RegExp(`^${prefix}(\\d+)-`);

/**
 * A folder for what the servers of a run store: in memory where there is room. They sync each write, and no test cuts the
 * power. What killed runs left in memory is removed first.
 */
export function serverDataFolder(): string {
  const base = hasRoom() ? memory : tmpdir();
  if (base === memory) removeLeft();
  return mkdtempSync(join(base, `${prefix}${process.pid}-`));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= minFreeBytes;
  } catch {
    return false;
  }
}

function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = pidOf.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user, and there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
