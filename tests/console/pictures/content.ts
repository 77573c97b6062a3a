import { answerOf, createPlatformClient } from "@aiplatform/client";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { Description } from "@aiplatform/local-platform";
import { mnistJob } from "@aiplatform/mnist-trainer/mnist-job";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient, type Transport } from "@connectrpc/connect";
import { attachTrainer } from "../../load/trainer-stream.ts";
import { fillDelivery } from "../delivery-content.ts";
import { fillOrganisation } from "../organisation-content.ts";
import type { ScreenContent } from "./screens.ts";

/** Longer than the pictures take, so that the run stays as it is without a further sign of its trainer. */
const silenceSeconds = 3_600;
const points = 200;
const valuesOf: Readonly<Record<string, (step: number) => number>> = {
  test_accuracy: (step) => 0.97 - 0.87 * Math.exp(-step / 300) + Math.sin(step) / 150,
  train_loss: (step) => 2.3 * Math.exp(-step / 250) + 0.1 + Math.cos(step) / 50,
  learning_rate: (step) => 0.1 / (1 + step / 500),
};

/** Fills a platform that has a model and no trainer: what its screens show is the same each time. Nothing is deployed yet. */
export async function fillScreens(description: Description): Promise<Omit<ScreenContent, "deploymentId">> {
  const { gateway, bearer, model_id } = description;
  const platform = createPlatformClient({ baseUrl: gateway, credential: bearer });
  const organisation = await fillOrganisation(description);
  const delivery = await fillDelivery(description);
  const versions = answerOf(
    await platform.GET("/platform/models/{model_id}/versions", { params: { path: { model_id } } }),
  );
  const shortRunId = versions[0]?.source?.run_id ?? "";
  const training = createMeshTransport({ addresses: description.grpc.training });
  try {
    const run_id = await trainedRun(training, description);
    return { ...description, ...organisation, ...delivery, run_id, shortRunId };
  } finally {
    await training.close();
  }
}

/** A run whose trainer has reported the same curves each time, and has said nothing since. */
async function trainedRun(training: Transport, { api_key, pipeline_id: pipelineId }: Description): Promise<string> {
  const runs = createClient(RunService, training);
  const job = { ...mnistJob, stallTimeoutSeconds: silenceSeconds, heartbeatTimeoutSeconds: silenceSeconds };
  const options = { headers: { authorization: `Bearer ${api_key}` } };
  const { run } = await runs.createRun({ pipelineId, name: "digits with known curves", jobs: [job] }, options);
  const runId = run?.id ?? "";
  const trainer = await attachTrainer(training, api_key, { pipelineId, runId, name: job.name });
  try {
    const batch = { ...trainer.address, counter: 1, segmentIndex: 0, columns: columns() };
    for await (const { durableCounter } of trainer.trainers.report(only(batch), trainer.options))
      if (durableCounter === batch.counter) break;
  } finally {
    await trainer.close();
  }
  return runId;
}

function columns() {
  const steps = Array.from({ length: points }, (_, index) => (index + 1) * 10);
  const observedAtMs = Date.now();
  return Object.entries(valuesOf).map(([name, valueAt]) => ({ name, steps, values: steps.map(valueAt), observedAtMs }));
}

async function* only<T>(item: T) {
  yield item;
}
