import { callerOf } from "@aiplatform/caller-identity";
import { DatasetService, SampleFormat } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { idempotent } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import { datasetIdIn } from "../data-dictionaries/data-dictionary.ts";
import type { OperationContext } from "../operation-context.ts";
import { createDataset } from "./create-dataset.ts";
import { columnTypes, datasetMessage } from "./dataset-message.ts";
import { deleteDataset } from "./delete-dataset.ts";
import { type InferColumnsDependencies, inferColumns } from "./infer-columns.ts";
import { setSensitiveColumns } from "./set-sensitive-columns.ts";

type Dependencies = OperationContext & InferColumnsDependencies & Parameters<typeof deleteDataset>[0];

/** The contract refuses a request that does not say. */
const formats = {
  [SampleFormat.UNSPECIFIED]: "csv",
  [SampleFormat.CSV]: "csv",
  [SampleFormat.PARQUET]: "parquet",
} as const;

export function datasetRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { createDataset: method } = DatasetService.method;
  router.service(DatasetService, {
    createDataset: (request, context) =>
      idempotent(dependencies.idempotency, method, { request, context }, async (session) => {
        const caller = callerOf(context);
        const columns = request.columns.map(({ name = "", type }) => ({ name, type: columnTypes[type] }));
        const { name = "", description } = request;
        const wanted = { organisationId: caller.organisationId, author: authorOf(caller), name, description, columns };
        return { dataset: datasetMessage(await createDataset(dependencies, wanted, session)) };
      }),
    async listDatasets({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.datasets.list(organisationId, { ...request, limit });
      return { datasets: items.map(datasetMessage), nextCursor };
    },
    async getDataset({ datasetId }, context) {
      const { organisationId } = callerOf(context);
      return { dataset: datasetMessage(await dependencies.datasets.get(organisationId, datasetIdIn(datasetId))) };
    },
    async inferDatasetColumns({ datasetId, format, sample: bytes }, context) {
      const { organisationId } = callerOf(context);
      const sample = { organisationId, datasetId: datasetIdIn(datasetId), format: formats[format], bytes };
      return { dataset: datasetMessage(await inferColumns(dependencies, sample)) };
    },
    async setDatasetSensitiveColumns({ datasetId, columns }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, datasetId: datasetIdIn(datasetId), columns };
      return { dataset: datasetMessage(await setSensitiveColumns(dependencies, wanted)) };
    },
    async deleteDataset({ datasetId }, context) {
      const deleted = await deleteDataset(dependencies, callerOf(context), datasetIdIn(datasetId));
      return { dataset: datasetMessage(deleted) };
    },
  });
}
