/**
 * Processor time that script takes of a frame while the console shows a run with 50 live curves of 10,000 points, all of them on the
 * screen: of the page that people use, in Chromium, by a trace. The time of the harness' fixed computation says how fast the machine is.
 *
 *     node bench/rows/console-frames.ts [--rounds 5]
 *
 * A round is ten seconds, in which the trainer reports each metric ten times a second.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import type { Page } from "playwright-core";
import { newPage, signIn } from "../../tests/console/console-page.ts";
import { launchChromium } from "../../tests/infra/chromium.ts";
import { type CurveReporter, curveReporter } from "../../tests/load/curve-reporter.ts";
import { createJobs } from "../../tests/load/run-with-jobs.ts";
import { type Bench, runBench } from "../harness/bench.ts";
import { type Figure, percentile } from "../harness/figure.ts";
import { calibratedSpinMs } from "../harness/quietness.ts";
import { type Frame, framesOf, type TraceEvent } from "./frame-trace.ts";

const curves = 50;
const points = 10_000;
/** Of each curve, when the page is opened: it reads so many at most, and gets the rest live. */
const pointsBefore = 5_000;
const reportEveryMs = 100;
const roundMs = 10_000;
/** All curves are on the screen: those that are not cost nothing. */
const size = { width: 1_600, height: 6_000 };
/** What the page has to show is over, ms. */
const settleMs = 5_000;

const categories = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8", "v8.execute"];
/** A frame at each refresh of the screen, also when the page changes nothing: otherwise frames would have any length. */
const alwaysDraw = "(() => { const draw = () => requestAnimationFrame(draw); draw(); })()";

/** Opens the run when half of its points are there, and waits until it shows the newest of all. */
async function openRun(page: Page, address: string, reporter: CurveReporter): Promise<void> {
  await page.goto(address);
  await page
    .locator("figure.metric canvas")
    .nth(curves - 1)
    .waitFor();
  while (reporter.step < points) await reporter.report(100);
  await page
    .getByText(`step ${points}`, { exact: true })
    .nth(curves - 1)
    .waitFor();
  await delay(settleMs);
  await page.evaluate(alwaysDraw);
}

async function traced(page: Page, reporter: CurveReporter, forMs: number): Promise<Frame[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  await browser.startTracing(page, { categories });
  const end = performance.now() + forMs;
  for (let next = performance.now(); next < end; next += reportEveryMs) {
    await delay(Math.max(0, next - performance.now()));
    await reporter.report(1);
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  return framesOf(traceEvents);
}

function figuresOf(rounds: readonly (readonly Frame[])[], spinMs: number): Figure[] {
  const figure = (id: string, name: string, of: (frames: readonly Frame[]) => number): Figure => ({
    ...{ id, name, unit: "ms of CPU" },
    values: rounds.map(of),
  });
  const script = (share: number) => (frames: readonly Frame[]) =>
    percentile(
      frames.map((frame) => frame.script),
      share,
    );
  const rendering = (share: number) => (frames: readonly Frame[]) =>
    percentile(
      frames.map((frame) => frame.rendering),
      share,
    );
  return [
    figure("frame-script-p50", "script of a frame, p50", script(0.5)),
    figure("frame-script-p95", "script of a frame, p95", script(0.95)),
    figure("frame-script-max", "script of a frame, max", script(1)),
    figure("frame-rendering-p95", "styles, layout and paint of a frame, p95", rendering(0.95)),
    { id: "frame-count", name: "frames of a round", unit: "", values: rounds.map((frames) => frames.length) },
    { id: "frame-machine", name: "fixed computation on this machine", unit: "ms", values: [spinMs] },
  ];
}

export const consoleFrames: Bench = {
  title: "A run with 50 live curves of 10,000 points in the console",
  async measure({ rounds, share }) {
    const spinMs = calibratedSpinMs();
    await using home = await mkdtempDisposable(join(tmpdir(), "console-frames-"));
    await using platform = await startPlatform({ directory: home.path, trainer: false });
    const { description } = platform;
    const transport = createMeshTransport({ addresses: description.grpc.training });
    const browser = await launchChromium();
    try {
      const [job] = await createJobs(transport, description.api_key, 1);
      if (!job) throw new Error("no job was created");
      await using reporter = await curveReporter(transport, { apiKey: description.api_key, job, curves });
      while (reporter.step < pointsBefore) await reporter.report(100);
      const { page } = await newPage(browser, size);
      await signIn(page, description);
      await openRun(page, `${description.gateway}/console/runs/${job.pipelineId}/${job.runId}`, reporter);
      const measured: Frame[][] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await traced(page, reporter, roundMs * share));
      return figuresOf(measured, spinMs);
    } finally {
      await browser.close();
      await transport.close();
    }
  },
};

if (import.meta.main) await runBench(consoleFrames);
