import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { printTable } from "../../../bench/harness/bench.ts";
import { percentile } from "../../../bench/harness/figure.ts";
import { createJobs } from "../run-with-jobs.ts";
import type { Load, Outcome } from "./generator.ts";
import { header, row, runPlan, type Summary, summarise } from "./run-plan.ts";
import { type Sightings, watchProcesses } from "./watched-processes.ts";

/** The mix: seven reads of a run's metrics, two commands, one list of commands. */
async function mixOf({ description }: LocalPlatform): Promise<Load["requests"]> {
  const training = createMeshTransport({ addresses: description.grpc.training });
  try {
    const jobs = await createJobs(training, description.api_key, 32);
    return jobs.flatMap(({ pipelineId, runId, name }) => {
      const run = `/pipelines/${pipelineId}/runs/${runId}`;
      const read = { method: "GET", path: `${run}/metrics/` };
      const body = '{"action":"pause","idempotency_key":"$KEY"}';
      const command = { method: "POST", path: `${run}/training/${name}/commands`, body };
      const list = { method: "GET", path: `/platform${run}/jobs/${name}/commands?limit=10` };
      return [read, read, command, read, read, list, read, command, read, read];
    });
  } finally {
    await training.close();
  }
}

const calibrationSeconds = 8;
/** So many that more of them are not answered faster: with 16 the platform waits for its callers. */
const callers = 64;

/** Answers a second when as many callers as keep everything busy ask one request after the other. */
async function calibrate(url: string, load: Load): Promise<number> {
  const { outcomes } = await runPlan({ url, seconds: calibrationSeconds, loads: [{ ...load, callers }] });
  return summarise(outcomes).ok / calibrationSeconds;
}

/** What the platform showed when it was asked for three times what it can do. */
export interface OverloadFigures {
  /** Answers a second that it can give, each time that was measured: before and after. */
  readonly capacities: readonly number[];
  readonly capacity: number;
  /** 2xx a second under overload, as a part of the capacity. */
  readonly goodput: number;
  readonly overload: Summary;
  /** Seconds after the overload until a tenth of the capacity was answered as ever. */
  readonly recoverySeconds: number;
  /** Most memory under overload, as a part of the most before, by process. */
  readonly growth: Readonly<Record<string, number>>;
  readonly livezMs: readonly number[];
  /** Processor seconds that each process took while it was asked for too much, the generator's included. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** Share of the time that the gateway's event loop was busy meanwhile, second by second. */
  readonly loopBusy: readonly number[];
  /** A second organisation that asked for a little meanwhile. */
  readonly quiet: Summary;
  readonly quietAlone: Summary;
}

const quietPerSecond = 5;
const recoverySeconds = 10;
/** Slower than that is not as ever. */
const recoveredMs = 500;

/** Offers three times the capacity for `seconds`, with a second organisation beside that asks for a little. */
export async function measureOverload(platform: LocalPlatform, seconds: number): Promise<OverloadFigures> {
  const mix = await mixOf(platform);
  const url = platform.description.gateway;
  const noisy = { name: "noisy", bearer: platform.description.api_key, requests: mix };
  const quiet = quietLoad(platform);
  await calibrate(url, noisy);
  const before = watchProcesses(platform.adminUrls);
  const capacities = [await calibrate(url, noisy), await calibrate(url, noisy)];
  const alone = await runPlan({ url, seconds: 20, loads: [quiet] });
  const steady = await before.stop();
  const offered = 3 * percentile(capacities, 0.5);

  const during = watchProcesses(platform.adminUrls);
  const { outcomes, cpuSeconds } = await runPlan({ url, seconds, loads: [{ ...noisy, perSecond: offered }, quiet] });
  const seen = await during.stop();
  const after = await runPlan({ url, seconds: recoverySeconds, loads: [{ ...noisy, perSecond: offered / 30 }] });
  capacities.push(await calibrate(url, noisy), await calibrate(url, noisy));

  const capacity = percentile(capacities, 0.5);
  const summary = summarise(outcomes, "noisy");
  return {
    capacities,
    capacity,
    goodput: summary.ok / seconds / capacity,
    overload: summary,
    recoverySeconds: recoveryOf(after.outcomes),
    growth: growthOf(steady, seen),
    livezMs: seen.livezMs,
    cpuSeconds: { ...seen.cpuSeconds, generator: cpuSeconds },
    loopBusy: seen.loopBusy,
    quiet: summarise(outcomes, "quiet"),
    quietAlone: summarise(alone.outcomes),
  };
}

/** Reads of the second organisation. */
function quietLoad({ description: { foreign } }: LocalPlatform): Load {
  const path = `/pipelines/${foreign.pipeline_id}/runs/${foreign.run_id}/metrics/`;
  return { name: "quiet", bearer: foreign.api_key, perSecond: quietPerSecond, requests: [{ method: "GET", path }] };
}

/** The second in which nine of ten are answered as ever for the first time. */
function recoveryOf(outcomes: readonly Outcome[]): number {
  const isAsEver = ({ status, ms }: Outcome) => status >= 200 && status < 300 && ms <= recoveredMs;
  for (let second = 0; second < recoverySeconds; second += 1) {
    const due = outcomes.filter(({ dueMs }) => Math.floor(dueMs / 1_000) === second);
    if (due.filter(isAsEver).length >= 0.9 * due.length) return second;
  }
  return recoverySeconds;
}

function growthOf(steady: Sightings, seen: Sightings): Record<string, number> {
  const names = Object.keys(steady.mebibytes);
  return Object.fromEntries(names.map((name) => [name, (seen.mebibytes[name] ?? 0) / (steady.mebibytes[name] ?? 1)]));
}

export function printOverload(figures: OverloadFigures, seconds: number): void {
  const { capacities, capacity, goodput, overload, growth, livezMs, quiet, quietAlone } = figures;
  const whole = capacities.map((each) => each.toFixed(0)).join(", ");
  printTable(`Three times the capacity for ${seconds} s; measured capacity per second: ${whole}`, header, [
    row("noisy organisation", seconds, overload),
    row("quiet one beside it", seconds, quiet),
    row("quiet one alone", 20, quietAlone),
  ]);
  const rows = [
    ["goodput / capacity", `${goodput.toFixed(2)} of ${capacity.toFixed(0)}`],
    ["refusals without Retry-After", `${overload.silent}`],
    ["seconds until as ever", figures.recoverySeconds.toFixed(1)],
    ["memory / steady", amounts(growth, 2)],
    ["processor seconds", amounts(figures.cpuSeconds, 1)],
    ["gateway's event loop busy, p50", percentile(figures.loopBusy, 0.5).toFixed(2)],
    ["/livez ms p50, max", `${percentile(livezMs, 0.5).toFixed(0)}, ${Math.max(...livezMs).toFixed(0)}`],
  ];
  printTable("", ["", "figure"], rows);
}

function amounts(by: Readonly<Record<string, number>>, digits: number): string {
  return Object.entries(by)
    .map(([name, amount]) => `${name} ${amount.toFixed(digits)}`)
    .join(", ");
}

/** An organisation that offers twenty times its rate, and one beside it that offers a fifth. */
export interface NeighbourFigures {
  readonly noisy: Summary;
  readonly quiet: Summary;
  readonly quietAlone: Summary;
}

/** On a platform whose `REQUESTS_PER_SECOND` is `rate`. */
export async function measureNeighbours(
  platform: LocalPlatform,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<NeighbourFigures> {
  const url = platform.description.gateway;
  const mix = await mixOf(platform);
  const quiet = { ...quietLoad(platform), perSecond: rate / 5 };
  const noisy = { name: "noisy", bearer: platform.description.api_key, requests: mix, perSecond: rate * 20 };
  await runPlan({ url, seconds: 5, loads: [{ ...noisy, perSecond: rate }, quiet] });
  const alone = await runPlan({ url, seconds, loads: [quiet] });
  const together = await runPlan({ url, seconds, loads: [noisy, quiet] });
  return {
    noisy: summarise(together.outcomes, "noisy"),
    quiet: summarise(together.outcomes, "quiet"),
    quietAlone: summarise(alone.outcomes, "quiet"),
  };
}

export function printNeighbours(figures: NeighbourFigures, { rate, seconds }: { rate: number; seconds: number }): void {
  printTable(`One organisation at twenty times its rate of ${rate} a second, one at a fifth`, header, [
    row("noisy", seconds, figures.noisy),
    row("quiet", seconds, figures.quiet),
    row("quiet alone", seconds, figures.quietAlone),
  ]);
}
