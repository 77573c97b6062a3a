import { callerOf } from "@aiplatform/caller-identity";
import type { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { objectsOf } from "../dataset-rows/json-objects.ts";
import { listRows, type ReadRowsDependencies } from "../dataset-rows/read-rows.ts";
import { arrowBody, wantedFormat } from "../dataset-rows/row-format.ts";
import type { StatisticsReader } from "../dataset-statistics/get-statistics.ts";
import type { VersionRef } from "../dataset-versions/dataset-version.ts";

export interface RowRpcDependencies extends ReadRowsDependencies {
  statisticsReader: Pick<StatisticsReader, "read">;
}

type RowMethods = Pick<ServiceImpl<typeof DatasetVersionService>, "listDatasetRows" | "getDatasetStatistics">;

const defaultLimit = 100;

/** The version that a request names, in the spelling in which ids are stored. */
export function versionNamed(
  { datasetId, versionId }: Omit<VersionRef, "organisationId">,
  context: Pick<HandlerContext, "method" | "values">,
): VersionRef {
  const { organisationId } = callerOf(context);
  return { organisationId, datasetId: datasetId.toLowerCase(), versionId: versionId.toLowerCase() };
}

/** Methods that read what is in versions. */
export function rowMethods(dependencies: RowRpcDependencies): RowMethods {
  return {
    async listDatasetRows({ limit = defaultLimit, offset = 0n, sample, seed = 0, ...request }, context) {
      const picked = sample === undefined ? undefined : { rows: sample, seed };
      const format = wantedFormat(context);
      const wanted = { ...request, limit, offset: Number(offset), sample: picked, format };
      const page = await listRows(dependencies, versionNamed(request, context), wanted, context.signal);
      const { body, nextCursor } = page;
      if (wanted.format === "arrow") return { rendered: arrowBody(body), nextCursor };
      return { rows: objectsOf(body).map((text) => ({ text })), nextCursor };
    },
    async getDatasetStatistics(request, context) {
      return { statistics: await dependencies.statisticsReader.read(versionNamed(request, context), context.signal) };
    },
  };
}
