/**
 * What a trainer costs while it is attached: memory and processor time of the training service, and of the gateway where it attaches over
 * HTTPS, with no trainer, with many that are silent, and with many that send a report of ten points each second.
 *
 *     npm run load:trainers -- [trainers, default 1000] [seconds of each measurement, default 30]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { printTable } from "../../../bench/harness/bench.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import { calibratedSpinMs } from "../../../bench/harness/quietness.ts";
import { createJobs, type Job } from "../run-with-jobs.ts";
import { unbounded } from "../unbounded.ts";
import {
  type AttachedTrainer,
  attachOverGrpc,
  attachOverHttp,
  type Platform,
  repeats,
  untilAnswered,
} from "./attached-trainer.ts";

const trainers = Number(process.argv[2] ?? 1_000);
const seconds = Number(process.argv[3] ?? 30);
const atOnce = 20;
/** Of this process, which plays the trainers: with it and the database, the table says what bounds the others. */
const ownName = "all trainers";

/** What a process takes. */
interface Usage {
  mebibytes: number;
  /** Seconds of processor time a second. */
  cpu: number;
}

async function mebibytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

/** Over the next seconds; memory is the mean of what it is in each. */
async function usageOf(platform: LocalPlatform, names: readonly string[]): Promise<Map<string, Usage>> {
  const pidOf = (name: string) => (name === ownName ? process.pid : platform.processes.get(name)?.pid);
  const pids = names.map((name) => [name, pidOf(name)] as const);
  const before = pids.map(([, pid]) => cpuSeconds(pid));
  const started = performance.now();
  const sums = pids.map(() => 0);
  for (let second = 0; second < seconds; second += 1) {
    await setTimeout(1_000);
    for (const [index, [, pid]] of pids.entries()) sums[index] = (sums[index] ?? 0) + (await mebibytesOf(pid));
  }
  const passed = (performance.now() - started) / 1_000;
  const after = pids.map(([, pid]) => cpuSeconds(pid));
  return new Map(
    pids.map(([name], index) => {
      const cpu = ((after[index] ?? 0) - (before[index] ?? 0)) / passed;
      return [name, { mebibytes: (sums[index] ?? 0) / seconds, cpu }];
    }),
  );
}

/** Does the same for all, some at once, and answers what came of it in their order. */
async function forAll<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < all.length; first += atOnce)
    results.push(...(await Promise.all(all.slice(first, first + atOnce).map(act))));
  return results;
}

/** Reports that became durable. */
interface Reporting {
  durable: number;
  /** Resolves after the last of them. */
  ended: Promise<unknown>;
}

/** Each sends a report a second, one after the other, until the signal is given. */
function reportEachSecond(attached: readonly AttachedTrainer[], over: AbortSignal): Reporting {
  const reporting: Reporting = { durable: 0, ended: Promise.resolve() };
  reporting.ended = Promise.all(
    attached.map(async (trainer, index) => {
      await setTimeout((index * 1_000) / attached.length);
      for (let due = performance.now(); !over.aborted; due += 1_000) {
        await trainer.report();
        reporting.durable += 1;
        await setTimeout(Math.max(0, due + 1_000 - performance.now()));
      }
    }),
  );
  return reporting;
}

async function measure(
  title: string,
  names: readonly string[],
  attach: (platform: Platform, job: Job) => Promise<AttachedTrainer>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "trainers-"));
  const streams = { ORGANISATION_STREAMS: String(3 * trainers), TOTAL_STREAMS: String(3 * trainers) };
  const gateway = { ...unbounded, ...streams };
  const platform = await startPlatform({ directory, trainer: false, separate: "all", settings: { gateway } });
  try {
    const { grpc, gateway, api_key: apiKey } = platform.description;
    const training = createMeshTransport({ addresses: grpc.training });
    const jobs = await untilAnswered(() => createJobs(training, apiKey, trainers), AbortSignal.timeout(300_000));
    training.close();
    const none = await usageOf(platform, names);
    const attached = await forAll(jobs, (job) => attach({ grpc: grpc.training, gateway, apiKey }, job));
    const silent = await usageOf(platform, names);
    // The first report of a job reads its log and stores the names of its metrics; those after it do not.
    await forAll(attached, (trainer) => trainer.report());
    const over = new AbortController();
    const reporting = reportEachSecond(attached, over.signal);
    const started = performance.now();
    const busy = await usageOf(platform, names);
    const reports = reporting.durable / ((performance.now() - started) / 1_000);
    over.abort();
    await reporting.ended;
    await Promise.all(attached.map((trainer) => trainer.close()));
    printTable(
      `${title}: ${trainers.toLocaleString("en")} trainers; reports became durable at ${reports.toFixed(0)} a second`,
      [
        "",
        "MiB, no trainer",
        "silent",
        "reporting",
        "KiB a trainer: silent",
        "reporting",
        "cores: silent",
        "reporting",
      ],
      names.map((name) => [name, ...figures([none, silent, busy].map((usages) => usages.get(name)))]),
    );
    for (const [said, times] of repeats) process.stdout.write(`${times} times: ${said}\n`);
    repeats.clear();
  } finally {
    await platform.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function figures([none, silent, busy]: (Usage | undefined)[]): string[] {
  if (!none || !silent || !busy) throw new Error("the process is not watched");
  const each = ({ mebibytes }: Usage) => ((1_024 * (mebibytes - none.mebibytes)) / trainers).toFixed(0);
  const whole = [none, silent, busy].map(({ mebibytes }) => mebibytes.toFixed(0));
  return [...whole, each(silent), each(busy), silent.cpu.toFixed(2), busy.cpu.toFixed(2)];
}

process.stdout.write(
  `Node ${process.version}, ${cpus().length} cores shared by trainers, services, mongod and nats-server; the fixed computation of \`npm run bench\` takes ${calibratedSpinMs().toFixed(1)} ms\n`,
);
await measure("gRPC, at one replica of training", ["training", "mongodb", ownName], attachOverGrpc);
await measure("HTTPS, through one gateway", ["gateway", "training", "mongodb", ownName], attachOverHttp);
