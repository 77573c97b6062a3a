import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnGuarded, stopProcess } from "../src/infra/processes/guarded-process.ts";
import { until } from "../src/infra/wait.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "bounded-log-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the log of a process that goes on and on", () => {
  it("is put aside when it is full, and begun again, while the process writes", async () => {
    const logFile = join(directory, "chatty.log");
    const program = "let n = 0; setInterval(() => console.log('line ' + n++ + ' ' + 'x'.repeat(100)), 1)";
    const logBounds = { maxBytes: 4_096, everyMs: 20 };
    const child = spawnGuarded({ command: process.execPath, args: ["--eval", program], logFile, logBounds });
    const text = (file: string) => readFile(file, "utf8").catch(() => "");
    const numbers = (of: string) => [...of.matchAll(/^line (\d+) /gm)].map(([, number]) => Number(number));
    try {
      const rotated = async () => {
        const [aside, present] = [numbers(await text(`${logFile}.1`)), numbers(await text(logFile))];
        const isLater = (present[0] ?? 0) > (aside.at(-1) ?? Number.POSITIVE_INFINITY) && (aside[0] ?? 0) > 0;
        return isLater || undefined;
      };
      await until(rotated, { withinMs: 20_000, everyMs: 5, otherwise: () => new Error("nothing was put aside twice") });
      // Only text: a file that is emptied under a writer that does not append begins with a hole.
      expect(await text(logFile)).not.toContain("\0");
    } finally {
      await stopProcess(child);
    }
  });
});
