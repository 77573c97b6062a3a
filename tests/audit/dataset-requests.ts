import { until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import type { AuditEnvironment } from "./audit-environment.ts";
import { deployment, newDeployment } from "./served-deployments.ts";
import type { GoodRequest } from "./valid-requests.ts";

/** A dataset with one column. */
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
  const wanted = await newVersion(environment);
  const { version } = await environment.made("DatasetVersionService/CreateDatasetVersion", wanted);
  const named = { datasetId: wanted.datasetId, versionId: version.id };
  const look = () => environment.made("DatasetVersionService/GetDatasetVersion", named);
  await until("the version to be ready", 60, look, (answer) => {
    return answer.version.state === "DATASET_VERSION_STATE_READY";
  });
  return named;
}

async function newEmbedding(environment: AuditEnvironment, deploymentId: string) {
  const recipe = { deploymentId, input: "a", output: "b", template: "{{a}}" };
  return { ...(await readyVersion(environment)), recipe };
}

/** Of the data of datasets. */
export const datasetRequests: Readonly<Record<string, GoodRequest>> = {
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
  "DatasetEmbeddingService/CreateDatasetEmbedding": async (environment) =>
    newEmbedding(environment, await deployment(environment)),
  "DatasetEmbeddingService/CancelDatasetEmbedding": async (environment) => {
    const deploymentId = await newDeployment(environment);
    // It waits for the deployment, so that there is something to cancel.
    await environment.made("DeploymentService/StopDeployment", { deploymentId });
    const wanted = await newEmbedding(environment, deploymentId);
    const { embedding } = await environment.made("DatasetEmbeddingService/CreateDatasetEmbedding", wanted);
    const { datasetId, versionId } = wanted;
    return { datasetId, versionId, embeddingId: embedding.id };
  },
};
