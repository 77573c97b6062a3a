import { ask, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import type { AuditEnvironment } from "./audit-environment.ts";
import type { GoodRequest } from "./valid-requests.ts";

/** A dataset; answers its id. */
export const dataset = async (environment: AuditEnvironment) =>
  (await environment.made("DatasetService/CreateDataset", { name: "audited", columns: [{ name: "a" }] })).dataset.id;

/** A file of a version. */
async function datasetFile(environment: AuditEnvironment) {
  const bytes = Buffer.from("a\n1\n");
  const artifactSha256 = await uploadArtifact(environment.platform.description, bytes);
  return { artifactSha256, name: "audited.csv", format: "DATASET_FILE_FORMAT_CSV" };
}

async function newVersion(environment: AuditEnvironment) {
  return { datasetId: await dataset(environment), files: [await datasetFile(environment)] };
}

/** A version whose rows can be read. */
async function readyVersion(environment: AuditEnvironment) {
  const { datasetId, ...wanted } = await newVersion(environment);
  const made = await environment.made("DatasetVersionService/CreateDatasetVersion", { datasetId, ...wanted });
  const path = `/platform/datasets/${datasetId}/versions/${made.version.id}`;
  const look = () => ask(environment.platform.description, { path });
  await until("the version to be ready", 60, look, ({ body }) => body.state === "ready");
  return { datasetId, versionId: made.version.id };
}

/** A request of each operation on versions of datasets that changes something. */
export const datasetVersionRequests: Readonly<Record<string, GoodRequest>> = {
  "DatasetVersionService/CreateDatasetVersion": newVersion,
  "DatasetVersionService/CreateDatasetSuccessor": async (environment) => ({
    ...(await readyVersion(environment)),
    filter: "a = 1",
    matchingRows: "DATASET_MATCHING_ROWS_REMOVE",
  }),
  "DatasetVersionService/PurgeDatasetVersion": async (environment) => {
    const wanted = await newVersion(environment);
    const { version } = await environment.made("DatasetVersionService/CreateDatasetVersion", wanted);
    return { datasetId: wanted.datasetId, versionId: version.id };
  },
};
