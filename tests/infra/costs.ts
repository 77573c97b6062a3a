import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** What Linux counts processor time in, whatever the machine. */
const ticksPerSecond = 100;

interface Process {
  readonly parent: number;
  /** Of itself, and of its children that have ended. */
  readonly ticks: number;
}

/** Undefined when it is gone. */
function processOf(pid: string): Process | undefined {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** Processor time of this process and all below it so far, seconds; undefined where the system has no /proc. */
function processorSeconds(): number | undefined {
  try {
    const all = new Map<number, Process>();
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const found = processOf(pid);
      if (found) all.set(Number(pid), found);
    }
    const isBelow = (pid: number): boolean => pid === process.pid || (pid > 1 && isBelow(all.get(pid)?.parent ?? 0));
    const ticks = [...all].reduce((sum, [pid, each]) => sum + (isBelow(pid) ? each.ticks : 0), 0);
    return ticks / ticksPerSecond;
  } catch {
    return undefined;
  }
}

const costs = process.env["TEST_COSTS"];
const startedAt = performance.now();
const before = costs ? processorSeconds() : undefined;

// Each file writes a line about itself where `scripts/test.ts` reads it: loading it, its hooks and its tests, and every process that they started.
afterAll(() => {
  if (!costs) return;
  const { testPath: file } = expect.getState();
  const now = processorSeconds();
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = now === undefined || before === undefined ? undefined : Math.max(now - before, 0);
  appendFileSync(costs, `${JSON.stringify({ file, seconds, processor })}\n`);
});
