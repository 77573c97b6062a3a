import { createPlatformClient, type PlatformClient, type ServerEvent, sharedStreams } from "@aiplatform/client";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { CuttingProxy } from "../client/cutting-proxy.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, jobPath, metricsPath, type Reachable } from "../mesh/rest.ts";

let description: LocalPlatform["description"];
sharedPlatform((started) => {
  description = started.description;
});

const metrics = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";
const client = (credential: string, baseUrl = description.gateway): PlatformClient =>
  createPlatformClient({ baseUrl, credential });
const makeRun = async (): Promise<Reachable> => ({ ...description, ...(await newRun(description)) });
const addressOf = ({ pipeline_id, run_id }: Reachable) => ({ path: { pipeline_id, run_id } });
const report = async (run: Reachable, step: number) => {
  const answer = await ask(run, { path: `${jobPath(run)}/metrics`, body: { step, metrics: { loss: 1 / step } } });
  expect(answer.status).toBe(200);
};
const newKey = async (...permission_ids: string[]) => {
  const body = { name: "follows", permission_ids };
  return (await ask(description, { path: "/platform/api-keys", body })).body;
};

/** Steps of the metric in an event. */
function stepsOf({ data: { series } }: ServerEvent<{ series: Record<string, unknown> }>): number[] {
  const { loss } = series as { loss?: { steps: number[] } };
  return loss?.steps ?? [];
}

/** Reads until the step has come; answers all steps in the order in which they came. */
async function readTo(last: number, events: AsyncIterable<Parameters<typeof stepsOf>[0]>): Promise<number[]> {
  const steps: number[] = [];
  for await (const event of events) {
    steps.push(...stepsOf(event));
    if (steps.at(-1) === last) break;
  }
  return steps;
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("ten runs that are followed over one connection", () => {
  it("lose no point and show none twice when the connection is cut in the middle", async () => {
    await using way = await CuttingProxy.to(description.gateway);
    const runs = await Promise.all(Array.from({ length: 10 }, makeRun));
    for (const run of runs) await report(run, 1);
    const shared = sharedStreams(client(description.api_key, way.url));
    const reading = runs.map((run) => readTo(4, shared.events(metrics, addressOf(run))));
    for (const step of [2, 3, 4]) {
      await Promise.all(runs.map((run) => report(run, step)));
      if (step < 4) way.breakAll();
    }
    expect(await Promise.all(reading)).toEqual(runs.map(() => upTo(4)));
  });
});

describe("a stream among others", () => {
  it("of another organisation's run is refused like one that is not there, and the others go on", async () => {
    const [own, other] = [await makeRun(), await makeRun()];
    const shared = sharedStreams(client(description.foreign.bearer));
    await expect(shared.events(metrics, addressOf(other)).next()).rejects.toMatchObject({
      ...{ name: "PlatformError", status: 404, message: "Not found" },
    });
    const streams = [metricsPath(other), metricsPath({ ...own, run_id: other.pipeline_id })];
    const body = { streams: streams.map((path) => ({ path: `/platform${path}stream` })) };
    const { text } = await ask(description, { path: "/platform/streams", body, bearer: description.foreign.bearer });
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).problem);
    expect(events).toEqual(Array(2).fill({ status: 404, body: { detail: "Not found" }, retry_after_seconds: null }));
  });

  it("for which the caller has no permission is refused with its name, and the others go on", async () => {
    const run = await makeRun();
    const { secret } = await newKey("metrics:read");
    const shared = sharedStreams(client(secret));
    const reading = shared.events(metrics, addressOf(run));
    const deployment_id = run.pipeline_id;
    const refused = shared.events("/platform/deployments/{deployment_id}/stream", { path: { deployment_id } });
    const [first, refusal] = await Promise.allSettled([reading.next(), refused.next()]);
    expect(first).toMatchObject({ status: "fulfilled", value: { value: { data: { sequence: 0 } } } });
    expect(refusal).toMatchObject({
      reason: { status: 403, message: expect.stringContaining("deployments:read") },
    });
    await report(run, 1);
    expect(await readTo(1, reading)).toEqual([1]);
  });

  it("ends when the key that opened it is revoked, with the connection", async () => {
    const run = await makeRun();
    const { secret, api_key } = await newKey("metrics:read");
    const reading = sharedStreams(client(secret)).events(metrics, addressOf(run));
    await reading.next();
    const next = reading.next();
    expect((await ask(run, { method: "DELETE", path: `/platform/api-keys/${api_key.id}` })).status).toBeLessThan(300);
    await expect(next).rejects.toMatchObject({ name: "PlatformError", status: 401 });
  });
});

describe("a request for streams", () => {
  it("without a credential is refused", async () => {
    const body = { streams: [{ path: "/platform/deployments/x/stream" }] };
    expect((await ask(description, { path: "/platform/streams", body, bearer: null })).status).toBe(401);
  });

  it("for more than 32 is refused, and says so", async () => {
    const body = { streams: Array(33).fill({ path: "/platform/deployments/x/stream" }) };
    const { status, body: answer } = await ask(description, { path: "/platform/streams", body });
    expect([status, answer.detail[0].loc]).toEqual([422, ["body", "streams"]]);
  });
});
