import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Processes that work in a directory, by their command lines. */
export function processesOf(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isGone = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
        return !isGone && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(join(directory, ".scratch"));
      } catch {
        return false;
      }
    })
    .map(Number);
}
