import { fileURLToPath } from "node:url";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { loadMnist } from "@aiplatform/mnist-trainer";
import { createParser } from "eventsource-parser";
import { describe, expect, it } from "vitest";
import { stockAccuracy } from "../../examples/mnist-trainer/tests/named-digits.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, command, commandApplied, type Json, metricsPath, until } from "../mesh/rest.ts";
import { describeJourney } from "./journey-steps.ts";

let running: LocalPlatform;
let platform: LocalPlatform["description"];
ownPlatform(
  (started) => {
    running = started;
    platform = started.description;
  },
  { trainer: true, stepsPerSecond: 400 },
);

async function metrics(query = ""): Promise<Json> {
  return (await ask(platform, { path: metricsPath(platform, query) })).body;
}

const accuracyOf = (seen: Json): number => seen.metrics.test_accuracy?.value ?? 0;
const newestStep = (seen: Json): number => seen.metrics.train_loss?.step ?? 0;

describe("steering the MNIST run through the gateway", () => {
  it("shows a curve of its accuracy within a minute", async () => {
    const seen = await until(
      "three points of accuracy",
      60,
      metrics,
      ({ series }) => series.test_accuracy?.values.length > 2,
    );
    expect(seen.status).toBe("running");
    expect(seen.lifecycle.current_phase).not.toBe("queued");
    expect(seen.series.test_accuracy.steps).toEqual(
      [...seen.series.test_accuracy.steps].sort((a: number, b: number) => a - b),
    );
    expect(seen.primary_metric).toMatchObject({ name: "test_accuracy", goal: "maximize" });
  });

  it("sends what changes as server-sent events, with the sequence as id", async () => {
    const ids = await firstDistinctEventIds(3);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it("holds a long poll until there is something newer", async () => {
    const { sequence } = await metrics("?max_points=0");
    const next = await metrics(`?max_points=0&after_sequence=${sequence}&wait_seconds=30`);
    expect(next.sequence).toBeGreaterThan(sequence);
  });

  it("answers only newer points after a sequence", async () => {
    const { sequence, metrics: newest } = await metrics();
    const later = await until(
      "newer points",
      30,
      () => metrics(`?after_sequence=${sequence}`),
      (seen) => newestStep(seen) > newest.train_loss.step,
    );
    expect(Math.min(...later.series.train_loss.steps)).toBeGreaterThan(0);
    expect(later.series.train_loss.steps[0]).toBeGreaterThan(newest.train_loss.step - 1);
  });

  it("pauses: saved, devices released, no step more", async () => {
    const paused = await commandApplied(platform, "pause");
    expect(paused).toMatchObject({ status: "applied", action: "pause" });
    expect(paused.checkpoint_id).not.toBeNull();
    const seen = await until(
      "the released devices to show",
      20,
      metrics,
      ({ resources }) => resources.devices?.length === 0,
    );
    expect(seen.status).toBe("paused");
    const again = await metrics();
    expect(newestStep(again)).toBe(newestStep(seen));
  });

  it("answers a second pause as applied at once, saying why", async () => {
    const { body } = await command(platform, "pause");
    expect(body).toMatchObject({ status: "applied", detail: expect.stringContaining("paused") });
  });

  it("resumes in a new segment that goes on where the pause was", async () => {
    const resumed = await commandApplied(platform, "resume");
    expect(resumed.status).toBe("applied");
    const seen = await metrics();
    expect(seen.status).toBe("running");
    expect(seen.segments.at(-1)).toMatchObject({ kind: "resume", command_id: resumed.id });
  });

  it("rolls back to an earlier checkpoint: another segment, later points archived, none deleted", async () => {
    const before = await until(
      "some steps after the resume",
      30,
      metrics,
      (seen) => newestStep(seen) > seen.segments.at(-1).start_step + 20,
    );
    // Not the newest one, which may be of the newest step: nothing would come after it.
    const { checkpoint_id } = before.segments.at(-1);
    const rolledBack = await commandApplied(platform, "rollback", { checkpoint_id });
    expect(rolledBack).toMatchObject({ status: "applied", checkpoint_id });
    const seen = await metrics();
    const [segment] = seen.segments.slice(-1);
    expect(segment).toMatchObject({ kind: "rollback", checkpoint_id: rolledBack.checkpoint_id });
    const archived = seen.segments.filter((other: Json) => other.archived_from_step !== null);
    expect(archived.length).toBeGreaterThan(0);
    const everything = await metrics("?include_archived=true&max_points=5000");
    const live = await metrics("?max_points=5000");
    expect(everything.series.train_loss.steps.length).toBeGreaterThan(live.series.train_loss.steps.length);
  });

  it("restarts warm with a cold override", async () => {
    const restarted = await commandApplied(platform, "warm_restart", {
      runtime_overrides: { learning_rate: 0.05, batch_size: 64 },
    });
    expect(restarted.status).toBe("applied");
    const seen = await metrics();
    expect(seen.segments.at(-1)).toMatchObject({
      kind: "warm_restart",
      overrides: { learning_rate: 0.05, batch_size: 64 },
    });
  });

  it("rejects an override that the job does not declare, naming it", async () => {
    const { body } = await command(platform, "continue", { runtime_overrides: { no_such_key: 1 } });
    expect(body).toMatchObject({ status: "rejected", detail: expect.stringContaining("no_such_key") });
  });

  it("leaves, when told to finish, an ONNX file that a stock runtime loads, above 95 % on the 10,000 test images", async () => {
    await until(
      "an accuracy above 95 %",
      240,
      metrics,
      (seen) => (seen.primary_metric.best_value ?? accuracyOf(seen)) > 0.95,
    );
    const finished = await commandApplied(platform, "finish_from_checkpoint");
    expect(finished).toMatchObject({ status: "applied", checkpoint_id: expect.any(String) });
    expect((await metrics()).status).toBe("completed");
    expect(await onnxAccuracy(finished.detail)).toBeGreaterThan(0.95);
  });

  it("rejects commands to the finished run, naming its end", async () => {
    const { body } = await command(platform, "pause");
    expect(body).toMatchObject({ status: "rejected", detail: expect.stringContaining("completed") });
  });
});

describeJourney(() => running, 60);

/** Ids of events in the order received, once each: a change of state alone comes under the sequence it happened at. */
async function firstDistinctEventIds(count: number): Promise<number[]> {
  const abort = new AbortController();
  const response = await fetch(
    `${platform.gateway}/platform/pipelines/${platform.pipeline_id}/runs/${platform.run_id}/metrics/stream?max_points=10`,
    { headers: { authorization: `Bearer ${platform.bearer}`, accept: "text/event-stream" }, signal: abort.signal },
  );
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const ids = new Set<number>();
  const onEvent = ({ id, data }: { id?: string | undefined; data: string }) => {
    expect(JSON.parse(data).sequence).toBe(Number(id));
    ids.add(Number(id));
  };
  const parser = createParser({ onEvent });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (ids.size >= count) break;
  }
  abort.abort();
  return [...ids].slice(0, count);
}

/** The artifact's place is the finished command's detail: a file URI. */
async function onnxAccuracy(detail: string): Promise<number> {
  const [uri = ""] = /file:\/\/\S+/.exec(detail) ?? [];
  return stockAccuracy(fileURLToPath(uri), await loadMnist());
}
