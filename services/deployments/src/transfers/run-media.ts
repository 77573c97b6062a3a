import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { type FindMediaContentResponse, MediaService } from "@aiplatform/contract/aiplatform/training/v1/media";
import type { TrainingCalls } from "../training-calls.ts";

/** Time that training has for its answer, ms. */
const timeoutMs = 3_000;

/** A medium, and the run and pipeline that it is said to be of. */
export interface MediumAddress {
  pipelineId: string;
  runId: string;
  mediaId: string;
}

/** What a medium of a run is, asked on behalf of the caller. @throws TrainingUnavailableError, and what training refuses */
export function findMedium(
  training: Pick<TrainingCalls, "ask">,
  caller: ForwardedCaller,
  address: MediumAddress,
): Promise<FindMediaContentResponse> {
  const options = { headers: credentialHeaders(caller, "training"), timeoutMs };
  return training.ask(MediaService, (client) => client.findMediaContent(address, options));
}
