import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code, ConnectError } from "@connectrpc/connect";
import type { TrainingCalls } from "../training-calls.ts";
import { RunFileNotFoundError, type RunOfPipeline } from "./run-file.ts";

/** Time that training has for its answer, ms. */
const timeoutMs = 5_000;

/** Asks training for a run, on behalf of the caller. @throws RunFileNotFoundError, TrainingUnavailableError, and what training refuses */
export async function assertKnownRun(
  training: Pick<TrainingCalls, "ask">,
  caller: ForwardedCaller,
  { pipelineId, runId }: RunOfPipeline,
): Promise<void> {
  const options = { headers: credentialHeaders(caller, "training"), timeoutMs };
  try {
    await training.ask(RunService, (client) => client.getRun({ runId, pipelineId }, options));
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) throw new RunFileNotFoundError();
    throw error;
  }
}
