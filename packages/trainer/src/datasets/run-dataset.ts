import type { RunDataset as RunDatasetMessage } from "@aiplatform/contract/aiplatform/training/v1/runs";

/** A version of a dataset that a run reads, as the platform names it. */
export interface RunDataset {
  /** By which the run names it. */
  name: string;
  datasetId: string;
  versionId: string;
  /** Of the version in its dataset. */
  number: number;
  /** Of its Parquet file, hexadecimal. */
  contentSha256: string;
  rowCount: number;
  /** Of its Parquet file. */
  sizeBytes: number;
}

/** A version of a dataset cannot be read; the message says what to do. */
export class DatasetError extends Error {
  override name = "DatasetError";
}

/** What was downloaded is not what the run was created with. It is removed. */
export class DatasetDigestError extends DatasetError {
  override name = "DatasetDigestError";
  constructor({ name, contentSha256 }: RunDataset, sha256: string) {
    super(
      `what was downloaded of "${name}" has the SHA-256 ${sha256} instead of ${contentSha256}, and is removed: ` +
        "try again; if it happens again, tell the operator of the platform",
    );
  }
}

export function runDatasetOf({ $typeName, $unknown, rowCount, sizeBytes, ...dataset }: RunDatasetMessage): RunDataset {
  return { ...dataset, rowCount: Number(rowCount), sizeBytes: Number(sizeBytes) };
}
