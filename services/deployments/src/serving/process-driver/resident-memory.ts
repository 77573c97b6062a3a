import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const mebibyte = 1_048_576;
const pattern = /^VmRSS:\s+(\d+) kB/m;

/** Memory that a process has in use, MiB; undefined where it is gone or the system does not tell. */
export async function residentMemoryMb(pid: number): Promise<number | undefined> {
  try {
    const kilobytes =
      process.platform === "linux"
        ? pattern.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]
        : (await run("ps", ["-o", "rss=", "-p", String(pid)])).stdout.trim();
    return kilobytes ? (Number(kilobytes) * 1_024) / mebibyte : undefined;
  } catch {
    return undefined;
  }
}
