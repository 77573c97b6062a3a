/**
 * Seconds of `npm start` until it prints its addresses: the first time in a fresh clone of this commit, with what it downloads in the
 * caches of this machine, and the second time with what the first has left. The trainer runs, as users have it.
 *
 *     node bench/rows/platform-start.ts [--rounds 5]
 *
 * The first start is measured once, since it takes a minute; `--quick` leaves it out and starts this directory twice.
 */
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bench, runBench } from "../harness/bench.ts";
import { npmStart } from "../harness/npm-start.ts";

const repository = join(import.meta.dirname, "../..");

/** Seconds until the printed key is good: a request with it is answered. */
async function started(directory: string, clone: string): Promise<number> {
  const begin = performance.now();
  await using platform = await npmStart({ directory, clone });
  const { gateway, api_key } = platform.description;
  const answer = await fetch(`${gateway}/automations/`, { headers: { authorization: `Bearer ${api_key}` } });
  if (!answer.ok) throw new Error(`the first request was answered ${answer.status}: ${await answer.text()}`);
  return (performance.now() - begin) / 1_000;
}

export const platformStart: Bench = {
  title: "npm start until its first answer",
  async measure({ rounds, share }) {
    await using home = await mkdtempDisposable(join(tmpdir(), "platform-start-"));
    const isWhole = share >= 1;
    const clone = isWhole ? join(home.path, "clone") : repository;
    if (isWhole) await promisify(execFile)("git", ["clone", "--quiet", repository, clone]);
    const directory = join(home.path, "data");
    const first = await started(directory, clone);
    const second: number[] = [];
    for (let round = 0; round < rounds; round += 1) second.push(await started(directory, clone));
    return [
      { id: "first-start", name: "first npm start of a fresh clone", unit: "s", values: isWhole ? [first] : [] },
      { id: "second-start", name: "second npm start", unit: "s", values: second },
    ];
  },
};

if (import.meta.main) await runBench(platformStart);
