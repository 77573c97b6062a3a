import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { RunDataset } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** The run does not read the version. */
export class RunDatasetNotFoundError extends NotFoundError {
  override name = "RunDatasetNotFoundError";
}

/** A version, and the run that reads it. */
export interface RunDatasetAddress {
  pipelineId: string;
  runId: string;
  versionId: string;
}

/** What the run knows of a version that it reads. @throws RunNotFoundError, RunDatasetNotFoundError */
export async function findRunDataset(
  { runs }: { runs: Pick<RunStore, "get"> },
  organisationId: string,
  { versionId, ...address }: RunDatasetAddress,
): Promise<RunDataset> {
  const { datasets } = await runs.get(organisationId, address);
  const found = datasets.find((dataset) => dataset.versionId === versionId);
  if (!found) throw new RunDatasetNotFoundError();
  return found;
}
