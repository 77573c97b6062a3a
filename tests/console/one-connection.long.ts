import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workerChromium } from "../infra/chromium.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, jobPath, type Reachable } from "../mesh/rest.ts";
import { newPage, signIn } from "./console-page.ts";
import { OpenStreams } from "./open-streams.ts";

let running: LocalPlatform;
ownPlatform((platform) => (running = platform), { separate: "all" });

let page: Page;
let faults: string[];
let streams: OpenStreams;
let runs: Reachable[];
let step = 0;
beforeAll(async () => {
  const { description } = running;
  runs = [];
  for (let count = 0; count < 10; count += 1) runs.push({ ...description, ...(await newRun(description)) });
  await report();
  ({ page, faults } = await newPage(await workerChromium()));
  streams = new OpenStreams(page);
  await signIn(page, description);
});
afterAll(async () => {
  await page?.context().close();
});

/** Each run gets a point. */
async function report(): Promise<void> {
  step += 1;
  for (const run of runs) {
    const body = { step, metrics: { loss: 1 / step } };
    expect((await ask(run, { path: `${jobPath(run)}/metrics`, body })).status).toBe(200);
  }
}

/** The page shows a point of all runs that has just been reported, and nothing but a stream can have told it. */
async function showsNews(): Promise<void> {
  const newest = page.waitForResponse(async (response) => {
    if (!response.url().includes("/platform/run-comparison") || response.status() !== 200) return false;
    const { runs: curves }: { runs: { x: number[] }[] } = await response.json();
    return curves.length === 10 && curves.every(({ x }) => x.includes(step));
  });
  await report();
  await newest;
}

describe("a tab of the console", () => {
  it("needs no connection for streams where nothing is followed", () => {
    expect(streams.counts).toEqual([]);
  });

  it("needs one for the comparison of ten live runs", async () => {
    const ids = runs.map(({ run_id }) => run_id).join(",");
    await page.goto(`${running.description.gateway}/console/compare?runs=${ids}`);
    await page.getByRole("img", { name: /^Curves of loss in 10 runs$/ }).waitFor();
    await expect.poll(() => streams.counts).toEqual([10]);
    await showsNews();
    expect(streams.counts).toEqual([10]);
  });

  it("goes on over one when the gateway is killed and started again", async () => {
    await running.kill("gateway", "SIGKILL");
    await expect.poll(() => streams.counts).toEqual([]);
    await running.restart("gateway");
    await expect.poll(() => streams.counts, { timeout: 30_000 }).toEqual([10]);
    await showsNews();
  });

  it("needs one for a run with its curves, its commands and its log", async () => {
    const { pipeline_id, run_id } = runs[0] ?? expect.fail("there is no run");
    await page.goto(`${running.description.gateway}/console/runs/${pipeline_id}/${run_id}`);
    await page.getByText("live", { exact: true }).waitFor();
    await expect.poll(() => streams.counts).toEqual([2]);
    await page.getByRole("tab", { name: "Log" }).click();
    await expect.poll(() => streams.counts).toEqual([3]);
  });

  it("gives it back when the person signs out", async () => {
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(streams.counts).toEqual([]);
  });

  it("does all this by the policy of its pages", () => {
    expect(faults).toEqual([]);
  });
});
