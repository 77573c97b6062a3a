import { constants } from "node:fs";
import { readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Between two attempts to remove a group in which processes are ending, and the longest time for all of them, ms. */
const removal = { everyMs: 10, withinMs: 5_000 };

/** The words in a file of a group. */
export async function wordsOf(group: string, file: string): Promise<string[]> {
  return (await readFile(join(group, file), "utf8")).split(/\s/).filter((word) => word !== "");
}

/** The numbers in a file whose lines have a name and a number. */
export async function countsOf(group: string, file: string): Promise<ReadonlyMap<string, number>> {
  const lines = (await readFile(join(group, file), "utf8")).split("\n");
  return new Map(lines.map((line) => line.split(" ")).map(([name = "", count]) => [name, Number(count)]));
}

/** How a file of a group is opened to be written: it must be there, and some, such as cgroup.kill, cannot be read by their owner. */
export const writing = constants.O_WRONLY;

/** Writes a value to a file of a group. */
export async function writeTo(group: string, file: string, value: string | number): Promise<void> {
  await writeFile(join(group, file), String(value), { flag: writing });
}

/** The code of a failed system call, such as EACCES. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
}

/** Ends all processes of a group and of those below it, and removes these groups. False: some processes do not end. */
export async function endAndRemove(group: string): Promise<boolean> {
  await unlessGone(() => writeTo(group, "cgroup.kill", 1));
  const until = performance.now() + removal.withinMs;
  for (;;) {
    if (await isRemoved(group)) return true;
    if (performance.now() > until) return false;
    await delay(removal.everyMs);
  }
}

async function isRemoved(group: string): Promise<boolean> {
  try {
    const entries = await readdir(group, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await unlessGone(() => rmdir(join(group, entry.name)));
    await rmdir(group);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    if (codeOf(error) === "EBUSY") return false;
    throw error;
  }
}

async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    // ENODEV: it is removed between the opening of its file and the write.
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENODEV") throw error;
  }
}
