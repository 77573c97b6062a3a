import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { attachTrainer } from "../load/trainer-stream.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, metricsPath, until } from "../mesh/rest.ts";
import { killed } from "./killed.ts";

let running: LocalPlatform;
let platform: LocalPlatform["description"];
sharedPlatform((started) => (running = started), { separate: true });
beforeAll(async () => {
  platform = { ...running.description, ...(await newRun(running.description)) };
});

const batchCount = 200;
const pointsPerBatch = 10;

async function* batches(address: { runId: string; jobName: string; attachmentId: string }) {
  for (let counter = 1; counter <= batchCount; counter += 1) {
    const steps = Array.from({ length: pointsPerBatch }, (_, offset) => (counter - 1) * pointsPerBatch + offset + 1);
    const columns = [{ name: "loss", steps, values: steps.map((step) => Math.sin(step) / step), observedAtMs: 0 }];
    yield { ...address, counter, segmentIndex: 0, columns };
  }
}

describe("killing training after it answered that reports are durable", () => {
  it("answers the same points, byte for byte, once it is back", async () => {
    const transport = createMeshTransport({ addresses: platform.grpc.training });
    const job = { pipelineId: platform.pipeline_id, runId: platform.run_id, name: platform.job_name };
    const trainer = await attachTrainer(transport, platform.api_key, job);
    for await (const { durableCounter } of trainer.trainers.report(batches(trainer.address), trainer.options)) {
      if (durableCounter === batchCount) break;
    }
    await trainer.close();
    const read = () => ask(platform, { path: metricsPath(platform, "?max_points=5000") });
    const seriesNow = async () => {
      // A service that is just back is unavailable for as long as its callers take to connect again.
      const { status, body, text } = await until("an answer", 20, read, (answer) => answer.status !== 503);
      expect([status, body.sequence]).toEqual([200, batchCount]);
      return text.slice(text.indexOf('"metrics":'), text.indexOf('"active_segment":'));
    };
    const before = await seriesNow();
    expect(before).toContain(`"step":${batchCount * pointsPerBatch}`);

    await killed(running, "training");
    await running.restart("training");
    expect(await seriesNow()).toBe(before);
    transport.close();
  });
});
