import { readFileSync, statfsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minMemoryMiB } from "../src/index.ts";
import { processesOf } from "./engine-processes.ts";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

const mebibyte = 1_048_576;
/** A little above the least, so that there is something to share. */
const memoryMiB = minMemoryMiB + 64;
const fileMiB = memoryMiB * 10;
/** The file, what it is read to, and what does not fit into memory meanwhile. */
const neededMiB = fileMiB * 2;
const { bavail, bsize } = statfsSync(tmpdir());
const freeMiB = Math.floor((bavail * bsize) / mebibyte);
console.log(`a file of ${fileMiB} MiB needs ${neededMiB} MiB of disk in ${tmpdir()}, where ${freeMiB} MiB are free`);

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine({ maxProcesses: 1, memoryMiB, temporaryDiskMiB: fileMiB });
});
afterAll(() => test[Symbol.asyncDispose]());

/** The most that a process of the engine has had in memory, MiB. */
class Watch implements Disposable {
  maxMiB = 0;
  readonly #timer = setInterval(() => this.#look(), 100);

  #look(): void {
    for (const pid of processesOf(test.directory)) {
      const kib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0);
      this.maxMiB = Math.max(this.maxMiB, kib / 1_024);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** Lines of which no two parts are the same, so that packing does not make the file small. Answers how many there are. */
async function writeCsv(path: string): Promise<number> {
  await using file = await open(path, "w", 0o644);
  await file.writeFile("id,day,amount,word\n");
  let [id, state] = [0, 1];
  for (let written = 0; written < fileMiB * mebibyte; ) {
    const lines: string[] = [];
    for (const end = id + 50_000; id < end; id++) {
      state = (state * 48_271) % 2_147_483_647;
      lines.push(
        `${id},2024-0${1 + (id % 9)}-1${id % 10},${state / 1_000},${(state ^ id).toString(36)}${state.toString(36)}-${id}\n`,
      );
    }
    const text = lines.join("");
    written += text.length;
    await file.writeFile(text);
  }
  return id;
}

describe.skipIf(process.platform !== "linux" || freeMiB < neededMiB)(
  "a file of ten times the memory of a process",
  () => {
    it("is read in no more than that memory", async () => {
      const path = test.path("large.csv");
      const rows = await writeCsv(path);
      expect((await stat(path)).size).toBeGreaterThanOrEqual(fileMiB * mebibyte);
      using watch = new Watch();
      const output = test.path("large.parquet");
      const files = [{ path, name: "large", format: "csv" as const }];
      const began = performance.now();
      const limits = { timeMs: 1_200_000 };
      const { rowCount } = await test.engine.convert({ organisationId: "ada", files, output, limits });
      console.log(
        `read in ${((performance.now() - began) / 1_000).toFixed(0)} s, at most ${watch.maxMiB.toFixed(0)} MiB`,
      );
      expect(rowCount).toBe(rows);
      const sql = "SELECT count(*) AS count, max(id) AS last FROM large";
      const counted = await test.engine.query({
        ...{ organisationId: "ada", views: { large: [output] }, sql, limit: 1, limits },
      });
      expect(rowsOf(counted)).toEqual([{ count: rows, last: rows - 1 }]);
      expect(watch.maxMiB).toBeGreaterThan(100);
      expect(watch.maxMiB).toBeLessThanOrEqual(memoryMiB);
    }, 3_600_000);
  },
);
