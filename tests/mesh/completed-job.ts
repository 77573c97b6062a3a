import { createHash, randomUUID } from "node:crypto";
import { newRun } from "./new-run.ts";
import { ask, type Json, type Reachable } from "./rest.ts";
import { uploadArtifact } from "./upload-artifact.ts";

/** A job whose result are these bytes; a version of its pipeline's model follows. `uploaded`: whether the bytes are stored. */
export async function completedJob(
  platform: Reachable & { grpc: { deployments: string } },
  bytes: Uint8Array,
  { uploaded = true } = {},
): Promise<Pick<Reachable, "pipeline_id" | "run_id" | "job_name">> {
  const job = await newRun(platform);
  const trainer = { runId: job.run_id, jobName: job.job_name, attachmentId: randomUUID() };
  const rpc = async (name: string, input: Json): Promise<void> => {
    const path = `/aiplatform.training.v1.TrainerService/${name}`;
    const { status, text } = await ask(platform, { path, body: { ...trainer, ...input } });
    if (status !== 200) throw new Error(`${name} was answered ${status}: ${text}`);
  };
  if (uploaded) await uploadArtifact(platform, bytes);
  await rpc("TakeJob", { pipelineId: job.pipeline_id });
  await rpc("ReportJobState", { state: "JOB_STATE_RUNNING" });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const artifact = { uri: `artifact:sha256:${sha256}`, sha256, sizeBytes: `${bytes.byteLength}`, format: "onnx" };
  await rpc("ReportJobState", { state: "JOB_STATE_COMPLETED", artifact });
  return job;
}
