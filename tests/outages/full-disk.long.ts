import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { neverOverloaded } from "../infra/own-platform.ts";
import { until } from "../mesh/rest.ts";
import { isInTheWay, isRejected, lostUses, quantile, recoversWithinMs, told } from "./judgement.ts";
import type { OperationNumber } from "./outage-table.ts";
import { type Sample, SteadyClient, senderTo } from "./steady-client.ts";
import { succeeded, twelveOperations } from "./twelve-operations.ts";

const diskMiB = 900;

/** Whether this process may mount a small file system, which stands for a small disk. */
function mountSmallDisk(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMiB}m`, "tmpfs", directory]);
    return true;
  } catch {
    process.stderr.write("full-disk.long.ts is skipped: a tmpfs cannot be mounted here (it needs root)\n");
    return false;
  }
}

/** Takes all room but a little, which mongod needs within seconds. */
async function fill(directory: string, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize - 256 * 1024)));
}

/** What npm start would have said, and when. */
class Said {
  readonly #lines: { at: number; line: string }[] = [];

  readonly log = (line: string): void => void this.#lines.push({ at: performance.now(), line });

  /** When a line was said that holds these words; waits for it. */
  async when(words: string, since: number): Promise<number> {
    const look = async () => this.#lines.find(({ at, line }) => at >= since && line.includes(words))?.at;
    return (await until(`"${words}" to be said`, 180, look, (at) => at !== undefined)) ?? 0;
  }
}

const reads: readonly OperationNumber[] = [8, 9, 11];
const knownWithinMs = 10_000;

describe("a mongod whose disk is full", () => {
  it("answers reads until it ends, is refused from then on, and goes on by itself when there is room", async () => {
    await using cleanUp = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), "full-disk-"));
    cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
    const data = join(directory, "mongodb/data");
    await mkdir(data, { recursive: true });
    if (!mountSmallDisk(data)) return;
    cleanUp.defer(() => void execFileSync("umount", ["-l", data]));
    const said = new Said();
    const settings = { gateway: neverOverloaded };
    const platform = cleanUp.use(
      await startPlatform({ directory, trainer: false, separate: "services", log: said.log, settings }),
    );
    const { gateway, bearer } = platform.description;
    const send = senderTo(gateway, bearer);
    const operations = await twelveOperations(platform.description, send);
    await using client = new SteadyClient(operations, send);
    await client.allAnswered(0);

    const ballast = join(data, "ballast");
    const filledAt = performance.now();
    await fill(data, ballast);
    const endedAt = await said.when("the disk is full", filledAt);
    await delay(knownWithinMs * 2);
    const freedAt = performance.now();
    await rm(ballast);
    const againAt = await said.when("mongod is running again", freedAt);
    await delay(recoversWithinMs);
    await client.allAnswered(performance.now());
    await client.stop();

    const seen = client.since(filledAt);
    const readBefore = seen.filter(({ operation, at, ms }) => reads.includes(operation) && at + ms < endedAt);
    const known = seen.filter(({ at, ms }) => at > endedAt + knownWithinMs && at + ms < freedAt);
    const late = seen.filter(({ at, ending }) => at > againAt + recoversWithinMs && !succeeded(ending));
    process.stderr.write(
      `mongod ended ${inSeconds(endedAt - filledAt)} after its disk was full, and was back ${inSeconds(againAt - freedAt)} after there was room; ` +
        `${known.length} refusals in between took ${Math.round(quantile(known, 0.9))} ms at p90; ` +
        `of ${seen.length} uses ${seen.filter(({ ending }) => succeeded(ending)).length} were answered\n`,
    );
    const isPlain = (sample: Sample) => succeeded(sample.ending) || isRejected(sample) || isInTheWay(sample);
    expect(seen.filter((sample) => !isPlain(sample)).map((sample) => told(sample, filledAt))).toEqual([]);
    expect(readBefore.filter(({ ending }) => !succeeded(ending)).map((sample) => told(sample, filledAt))).toEqual([]);
    expect(readBefore.length).toBeGreaterThan(0);
    expect(known.filter((sample) => !isRejected(sample)).map((sample) => told(sample, filledAt))).toEqual([]);
    expect(quantile(known, 0.9)).toBeLessThan(1_000);
    expect(late.map((sample) => told(sample, againAt))).toEqual([]);
    expect(await lostUses(client, operations, send)).toEqual([]);
  });
});

const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
