import { createPlatformClient, sharedStreams } from "@aiplatform/client";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, jobPath, type Reachable } from "../mesh/rest.ts";

let running: LocalPlatform;
ownPlatform((platform) => (running = platform), { separate: ["gateway"] });

const metrics = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";

/** Reports a point of the only curve. */
async function report(run: Reachable, step: number): Promise<void> {
  const body = { step, metrics: { loss: 1 / step } };
  expect((await ask(run, { path: `${jobPath(run)}/metrics`, body })).status).toBe(200);
}

describe("a stream of a gateway that is stopped and started again", () => {
  it.each(["alone", "over a shared connection"])("goes on after its last event, %s", async (way) => {
    const { description } = running;
    const run = { ...description, ...(await newRun(description)) };
    await report(run, 1);
    const { gateway: baseUrl, bearer: credential } = description;
    // Until the gateway is there again.
    const platform = createPlatformClient({ baseUrl, credential, retry: { limit: 100, maxPauseMs: 500 } });
    const follow = way === "alone" ? platform : sharedStreams(platform);
    const over = new AbortController();
    const { pipeline_id, run_id } = run;
    const events = follow.events(metrics, { path: { pipeline_id, run_id } }, over.signal);
    const { value: first } = await events.next();
    expect(first?.data.metrics).toMatchObject({ loss: { step: 1 } });
    const next = events.next();
    await running.restart("gateway");
    await report(run, 2);
    const { value: second } = await next;
    expect(second?.data.metrics).toMatchObject({ loss: { step: 2 } });
    expect(Number(second?.data.sequence)).toBeGreaterThan(Number(first?.data.sequence));
    over.abort();
    await events.return();
  });
});
