import { createHash } from "node:crypto";
import { DatasetFileFormat } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { as, type DemoClients } from "./demo-clients.ts";

/** What the demo's data is made of. */
export interface VersionPlan {
  bearer: string;
  datasetId: string;
  /** Lines of JSON. */
  rows: () => Promise<Uint8Array>;
}

/** Bytes of a message at most. */
const pieceBytes = 1_048_576;

/** Gives the demo's dataset a version, unless it has one. The data service reads it in the background. */
export async function seedVersion(
  { versions, models }: Pick<DemoClients, "versions" | "models">,
  { bearer, datasetId, rows }: VersionPlan,
): Promise<void> {
  const known = await versions.listDatasetVersions({ datasetId, limit: 1 }, as(bearer));
  if (known.versions.length > 0) return;
  const { artifactSha256 } = await models.uploadArtifact(piecesOf(await rows()), as(bearer));
  const files = [{ artifactSha256, name: "digits.jsonl", format: DatasetFileFormat.JSONL }];
  const wanted = { datasetId, files, description: "Digits that the demo's model has not learned from" };
  await versions.createDatasetVersion({ ...wanted, idempotencyKey: `demo version of ${datasetId}` }, as(bearer));
}

async function* piecesOf(bytes: Uint8Array) {
  const artifactSha256 = createHash("sha256").update(bytes).digest("hex");
  const sizeBytes = BigInt(bytes.byteLength);
  for (let offset = 0; offset < bytes.byteLength; offset += pieceBytes) {
    yield { artifactSha256, sizeBytes, offset: BigInt(offset), data: bytes.subarray(offset, offset + pieceBytes) };
  }
}
