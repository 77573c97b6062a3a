import { EngineLimitError, EngineStoppedError } from "@aiplatform/data-engine";
import { QuotaExceededError } from "@aiplatform/quotas";
import { reasonOf } from "@aiplatform/service-kit/peer";
import { Code, ConnectError } from "@connectrpc/connect";
import { DatasetVersionNotReadyError } from "../dataset-versions/dataset-version.ts";
import { EndpointGoneError, EndpointRefusedError } from "../embedding-endpoints/endpoint-errors.ts";
import { ArtifactLostError } from "../other-services/stored-artifacts.ts";
import { CacheTooSmallError } from "../parquet-cache/parquet-cache.ts";
import { type EmbeddingProblem, UnfitRowsError } from "./embedding.ts";

/** Times that a process may stop without a word, and a model may fail, without a batch between, before the rows are given up. */
export const maxStops = 3;
export const maxFailures = 5;

/** What deployments and the artifact store refuse for good. */
const refusals: ReadonlyMap<string, Pick<EmbeddingProblem, "rule" | "remedy">> = new Map([
  [
    "PREDICTION_REFUSED",
    { rule: "refused", remedy: "Correct the input's name or what is sent, and embed the version again" },
  ],
  [
    "DEPLOYMENT_VERSION_GONE",
    { rule: "version", remedy: "Embed the version again: all rows are sent to the version that serves now" },
  ],
  ["QUOTA_EXCEEDED", { rule: "quota", remedy: "Make room, and embed the version again" }],
  ["ARTIFACT_TOO_LARGE", { rule: "size", remedy: "Embed a version with fewer rows" }],
]);

/**
 * What a failure means: the problem of the embedding where it is final, undefined where it is to be tried again. `countStop` counts such
 * failures since the last batch, and answers how many there were.
 */
export async function problemOf(
  failure: unknown,
  countStop: () => Promise<number>,
): Promise<EmbeddingProblem | undefined> {
  if (failure instanceof EngineStoppedError) {
    if ((await countStop()) < maxStops) return undefined;
    const message = `The process that reads the rows stopped ${maxStops} times`;
    return { rule: "stopped", message, remedy: "Embed a version with fewer rows" };
  }
  if (reasonOf(failure) === "PREDICTION_FAILED" && failure instanceof ConnectError) {
    if ((await countStop()) < maxFailures) return undefined;
    return { rule: "answer", message: failure.rawMessage, remedy: "Correct the model, and embed the version again" };
  }
  return failure instanceof ConnectError ? refusalOf(failure) : finalProblem(failure);
}

function finalProblem(failure: unknown): EmbeddingProblem | undefined {
  if (failure instanceof UnfitRowsError) return failure.problem;
  if (failure instanceof EndpointRefusedError) {
    const remedy =
      "Correct the model or what is sent, or tell the operator of the platform, and embed the version again";
    return { rule: "refused", message: failure.message, remedy };
  }
  if (failure instanceof EndpointGoneError) {
    const remedy = "Embed the version with another endpoint or model";
    return { rule: "endpoint", message: failure.message, remedy };
  }
  if (failure instanceof QuotaExceededError) {
    return { rule: "quota", message: failure.message, remedy: "Make room, and embed the version again" };
  }
  if (failure instanceof EngineLimitError || failure instanceof CacheTooSmallError) {
    return { rule: "size", message: failure.message, remedy: "Embed a version with fewer rows" };
  }
  if (failure instanceof ArtifactLostError || failure instanceof DatasetVersionNotReadyError) {
    const message = `The rows cannot be read: ${failure.message}`;
    return { rule: "input", message, remedy: "Create the version again, and embed it" };
  }
  return undefined;
}

function refusalOf(failure: ConnectError): EmbeddingProblem | undefined {
  const refusal = refusals.get(reasonOf(failure));
  if (refusal) return { ...refusal, message: failure.rawMessage };
  if (failure.code !== Code.NotFound) return undefined;
  return { rule: "version", message: "The deployment is gone", remedy: "Embed the version with another deployment" };
}
