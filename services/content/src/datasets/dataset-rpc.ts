import { callerOf } from "@aiplatform/caller-identity";
import {
  ColumnType as ColumnTypes,
  type Dataset as DatasetMessage,
  DatasetSchema,
  DatasetService,
  SampleFormat,
} from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { replayable } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { createDataset } from "./create-dataset.ts";
import { type ColumnType, type Dataset, datasetIdIn } from "./dataset.ts";
import { deleteDataset } from "./delete-dataset.ts";
import { getDataset } from "./get-dataset.ts";
import { inferColumns } from "./infer-columns.ts";

/** Serves DatasetService. */
export function datasetRoutes(router: ConnectRouter, dependencies: ContentDependencies): void {
  const { createDataset: method } = DatasetService.method;
  router.service(DatasetService, {
    createDataset: (request, context) =>
      replayable(dependencies.replays, method, { request, context }, async (session) => {
        const caller = callerOf(context);
        const columns = request.columns.map(({ name = "", type }) => ({ name, type: columnTypes[type] }));
        const { name = "", description } = request;
        const wanted = { organisationId: caller.organisationId, author: authorOf(caller), name, description, columns };
        return { dataset: datasetMessage(await createDataset(dependencies, wanted, session)) };
      }),
    async listDatasets({ limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.datasets.list(organisationId, { limit, cursor });
      return { datasets: items.map(datasetMessage), nextCursor };
    },
    async getDataset({ datasetId }, context) {
      const { organisationId } = callerOf(context);
      return { dataset: datasetMessage(await getDataset(dependencies, organisationId, datasetIdIn(datasetId))) };
    },
    async inferDatasetColumns({ datasetId, format, sample: bytes }, context) {
      const { organisationId } = callerOf(context);
      const sample = { organisationId, datasetId: datasetIdIn(datasetId), format: formats[format], bytes };
      return { dataset: datasetMessage(await inferColumns(dependencies, sample)) };
    },
    async deleteDataset({ datasetId }, context) {
      const { organisationId } = callerOf(context);
      return { dataset: datasetMessage(await deleteDataset(dependencies, organisationId, datasetIdIn(datasetId))) };
    },
  });
}

/** Nothing said is text: that is what everything can be read as. */
const columnTypes: Readonly<Record<ColumnTypes, ColumnType>> = {
  [ColumnTypes.UNSPECIFIED]: "string",
  [ColumnTypes.STRING]: "string",
  [ColumnTypes.INTEGER]: "integer",
  [ColumnTypes.NUMBER]: "number",
  [ColumnTypes.BOOLEAN]: "boolean",
  [ColumnTypes.DATE]: "date",
  [ColumnTypes.DATE_TIME]: "date_time",
};

const columnMessages: Readonly<Record<ColumnType, ColumnTypes>> = {
  string: ColumnTypes.STRING,
  integer: ColumnTypes.INTEGER,
  number: ColumnTypes.NUMBER,
  boolean: ColumnTypes.BOOLEAN,
  date: ColumnTypes.DATE,
  date_time: ColumnTypes.DATE_TIME,
};

/** The contract refuses a request that does not say. */
const formats = {
  [SampleFormat.UNSPECIFIED]: "csv",
  [SampleFormat.CSV]: "csv",
  [SampleFormat.PARQUET]: "parquet",
} as const;

function datasetMessage({ columns, createdAt, updatedAt, ...dataset }: Dataset): DatasetMessage {
  return create(DatasetSchema, {
    ...dataset,
    columns: columns.map(({ name, type }) => ({ name, type: columnMessages[type] })),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}
