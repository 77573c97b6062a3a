import { type Caller, credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { TrainingCalls } from "../training-calls.ts";
import { type NamedArtifact, storedArtifact } from "./read-artifact.ts";

/** Time that training has for its answer, ms. */
const timeoutMs = 3_000;
/** Media type of Apache Parquet. */
const parquetType = "application/vnd.apache.parquet";

/** A version of a dataset, and the run that is said to read it. */
export interface RunDatasetAddress {
  pipelineId: string;
  runId: string;
  versionId: string;
}

/**
 * The file of a version, for a trainer of a run that reads it: training says, on behalf of the caller, whether it does.
 * @throws ArtifactMissingError when the version was purged, TrainingUnavailableError, and what training refuses
 */
export async function fileOfRunDataset(
  { artifacts, training }: { artifacts: Pick<ArtifactStore, "sizeOf">; training: Pick<TrainingCalls, "ask"> },
  caller: ForwardedCaller & Pick<Caller, "organisationId">,
  address: RunDatasetAddress,
): Promise<NamedArtifact> {
  const { organisationId } = caller;
  const options = { headers: credentialHeaders(caller, "training"), timeoutMs };
  const { dataset } = await training.ask(RunService, (client) => client.findRunDataset(address, options));
  const { contentSha256: sha256 = "", number = 0 } = dataset ?? {};
  const fileName = `version-${number}.parquet`;
  return await storedArtifact(artifacts, { organisationId, sha256, fileName, contentType: parquetType });
}
