import { createPlatformClient, type StreamConnectionState, sharedStreams } from "@aiplatform/client";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { attachTrainer } from "../load/trainer-stream.ts";
import { newRun } from "../mesh/new-run.ts";
import type { Reachable } from "../mesh/rest.ts";
import { killed } from "./killed.ts";

let running: LocalPlatform;
sharedPlatform((started) => (running = started), { separate: true });

const steps = 200;
const killsAt = [40, 90, 140];
/** Batches that a trainer may be ahead of its reader: so many are stored while the gateway is away. */
const maxLead = 20;

/** A run whose trainer reports while its reader follows it, and the steps that the reader has got. */
class FollowedRun {
  readonly run: Reachable;
  readonly seen: number[] = [];
  #news = Promise.withResolvers<void>();

  constructor(run: Reachable) {
    this.run = run;
  }

  saw(more: readonly number[]): void {
    this.seen.push(...more);
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async hasSeen(count: number): Promise<void> {
    while (this.seen.length < count) await this.#news.promise;
  }

  async *batches(address: { runId: string; jobName: string; attachmentId: string }) {
    for (let counter = 1; counter <= steps; counter += 1) {
      await this.hasSeen(counter - maxLead);
      const column = { name: "loss", steps: [counter], values: [1 / counter], observedAtMs: 0 };
      yield { ...address, counter, segmentIndex: 0, columns: [column] };
    }
  }

  async report(transport: ReturnType<typeof createMeshTransport>): Promise<void> {
    const { pipeline_id: pipelineId, run_id: runId, job_name: name } = this.run;
    const job = { pipelineId, runId, name };
    const trainer = await attachTrainer(transport, running.description.api_key, job);
    for await (const { durableCounter } of trainer.trainers.report(this.batches(trainer.address), trainer.options))
      if (durableCounter === steps) break;
    await trainer.close();
  }

  async follow(streams: ReturnType<typeof sharedStreams>): Promise<void> {
    const { pipeline_id, run_id } = this.run;
    const params = { path: { pipeline_id, run_id }, query: { max_points: 5_000 } };
    const path = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";
    for await (const { data } of streams.events(path, params)) {
      const { loss } = data.series as { loss?: { steps: number[] } };
      this.saw(loss?.steps ?? []);
      if (this.seen.at(-1) === steps) break;
    }
  }
}

describe("killing the gateway again and again while ten runs are followed over one connection", () => {
  it("loses no point of any run and shows none twice", async () => {
    const { description } = running;
    const states: StreamConnectionState[] = [];
    const platform = createPlatformClient({ baseUrl: description.gateway, credential: description.api_key });
    const streams = sharedStreams(platform, { onState: (state) => states.push(state) });
    const runs: FollowedRun[] = [];
    for (let count = 0; count < 10; count += 1)
      runs.push(new FollowedRun({ ...description, ...(await newRun(description)) }));
    const transport = createMeshTransport({ addresses: description.grpc.training });
    const work = runs.flatMap((run) => [run.follow(streams), run.report(transport)]);
    for (const count of killsAt) {
      await runs[0]?.hasSeen(count);
      await killed(running, "gateway");
      await running.restart("gateway");
    }
    await Promise.all(work);
    transport.close();
    const all = Array.from({ length: steps }, (_, index) => index + 1);
    expect(runs.map(({ seen }) => seen)).toEqual(runs.map(() => all));
    expect(states.filter((state) => state === "reconnecting").length).toBeGreaterThanOrEqual(killsAt.length);
  });
});
