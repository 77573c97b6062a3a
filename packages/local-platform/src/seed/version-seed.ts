import { createHash } from "node:crypto";
import {
  DatasetFileFormat,
  DatasetMatchingRows,
  DatasetVersionState,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { until } from "../infra/wait.ts";
import { as, type DemoClients } from "./demo-clients.ts";

/** What the demo's data is made of. */
export interface VersionPlan {
  bearer: string;
  datasetId: string;
  /** Lines of JSON. */
  rows: () => Promise<Uint8Array>;
}

/** A version of the demo. */
interface VersionPlace {
  bearer: string;
  datasetId: string;
  versionId: string;
}

/** How long a version is waited for. Reading one takes a second or two, and more beside the training of the model. */
const readWithinMs = 60_000;
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

/**
 * Makes a second version of the rows of the first once that is read, unless there are two: so there is something to compare. The data
 * service writes it in the background.
 */
export async function seedSuccessor(
  { versions }: Pick<DemoClients, "versions">,
  { bearer, datasetId }: Pick<VersionPlan, "bearer" | "datasetId">,
): Promise<void> {
  const known = await versions.listDatasetVersions({ datasetId, limit: 2 }, as(bearer));
  const versionId = known.versions[0]?.id;
  if (versionId === undefined || known.versions.length > 1) return;
  if (!(await isRead({ versions }, { bearer, datasetId, versionId }))) return;
  await versions.createDatasetSuccessor(
    {
      ...{ datasetId, versionId, filter: "ink_share < 0.05", matchingRows: DatasetMatchingRows.REMOVE },
      description: "Without the digits of very little ink",
      idempotencyKey: `demo successor of ${versionId}`,
    },
    as(bearer),
  );
}

/** Waits until a version has been read, and answers whether it has rows: a user may have purged it. */
export async function isRead(
  { versions }: Pick<DemoClients, "versions">,
  { bearer, ...ref }: VersionPlace,
): Promise<boolean> {
  const settled = async () => {
    const { version } = await versions.getDatasetVersion(ref, as(bearer));
    const isUnderWay = version?.state === DatasetVersionState.PENDING || version?.state === DatasetVersionState.READING;
    return isUnderWay ? undefined : { state: version?.state };
  };
  const otherwise = () => new Error(`the version ${ref.versionId} of the demo's dataset was not read`);
  const { state } = await until(settled, { withinMs: readWithinMs, everyMs: 100, otherwise });
  return state === DatasetVersionState.READY;
}

async function* piecesOf(bytes: Uint8Array) {
  const artifactSha256 = createHash("sha256").update(bytes).digest("hex");
  const sizeBytes = BigInt(bytes.byteLength);
  for (let offset = 0; offset < bytes.byteLength; offset += pieceBytes) {
    yield { artifactSha256, sizeBytes, offset: BigInt(offset), data: bytes.subarray(offset, offset + pieceBytes) };
  }
}
