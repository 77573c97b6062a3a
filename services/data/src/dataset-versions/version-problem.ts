import { EngineLimitError, EngineStoppedError, InvalidQueryError, UnreadableFileError } from "@aiplatform/data-engine";
import { QuotaExceededError } from "@aiplatform/quotas";
import { reasonOf } from "@aiplatform/service-kit/peer";
import { ConnectError } from "@connectrpc/connect";
import { SourceObjectError } from "../data-locations/location-errors.ts";
import { ArtifactLostError } from "../other-services/stored-artifacts.ts";
import { CacheTooSmallError } from "../parquet-cache/parquet-cache.ts";
import { PredecessorGoneError, UnfitVersionError, type VersionProblem } from "./dataset-version.ts";

/** Times that the process which reads the files may stop without a word before they are given up. */
export const maxStops = 3;

/** What the artifact store refuses for good. */
const refusals: ReadonlyMap<string, Pick<VersionProblem, "rule" | "remedy">> = new Map([
  ["QUOTA_EXCEEDED", { rule: "quota", remedy: "Make room, and create the version again" }],
  ["ARTIFACT_TOO_LARGE", { rule: "size", remedy: "Split the data into several datasets" }],
]);

/**
 * What a failure to read files means: the problem of the version where it is the files' own or final, undefined where it is to be tried
 * again. `countStop` counts processes that have stopped while they read this version.
 */
export async function problemOf(
  failure: unknown,
  countStop: () => Promise<number>,
): Promise<VersionProblem | undefined> {
  if (failure instanceof EngineStoppedError) return (await countStop()) < maxStops ? undefined : stopped;
  return finalProblem(failure);
}

const stopped: VersionProblem = {
  rule: "stopped",
  message: `The process that reads the files stopped ${maxStops} times`,
  remedy: "Write the files again with another program, or split them",
};

function finalProblem(failure: unknown): VersionProblem | undefined {
  if (failure instanceof UnfitVersionError) return failure.problem;
  if (failure instanceof UnreadableFileError) {
    const { file, line, column, rule, message, remedy } = failure;
    return { file, line, column, rule, message, remedy };
  }
  if (failure instanceof EngineLimitError) {
    const { limit, message } = failure;
    return { rule: limit, message, remedy: "Split the files, or leave out what is large" };
  }
  if (failure instanceof QuotaExceededError) {
    return { rule: "quota", message: failure.message, remedy: "Make room, and create the version again" };
  }
  if (failure instanceof CacheTooSmallError) {
    return { rule: "size", message: failure.message, remedy: "Split the files into several versions" };
  }
  if (failure instanceof ArtifactLostError) {
    const message = `A file cannot be read: ${failure.message}`;
    return { rule: "artifact", message, remedy: "Upload it, and create the version again" };
  }
  if (failure instanceof SourceObjectError) {
    return {
      rule: "source",
      message: failure.message,
      remedy: "Create the version again, of objects that stay as they are",
    };
  }
  if (failure instanceof PredecessorGoneError) {
    return { rule: "predecessor", message: failure.message, remedy: "Create it of another version" };
  }
  if (failure instanceof InvalidQueryError) {
    return {
      rule: "filter",
      message: `The filter does not fit the rows: ${failure.message}`,
      remedy: "Create it with another filter",
    };
  }
  return refusalOf(failure);
}

/** What the store of artifacts has refused, in its own words. */
function refusalOf(failure: unknown): VersionProblem | undefined {
  if (!(failure instanceof ConnectError)) return undefined;
  const refusal = refusals.get(reasonOf(failure));
  return refusal && { ...refusal, message: failure.rawMessage };
}
