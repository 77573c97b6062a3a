import { callerOf } from "@aiplatform/caller-identity";
import { DatasetQueryService } from "@aiplatform/contract/aiplatform/data/v1/dataset_queries";
import type { ConnectRouter } from "@connectrpc/connect";
import { objectsOf } from "../dataset-rows/json-objects.ts";
import { arrowBody, wantedFormat } from "../dataset-rows/row-format.ts";
import { kindMessages } from "../dataset-versions/version-message.ts";
import { versionNamed } from "../version-service/row-rpc.ts";
import { type QueryDependencies, queryDatasets } from "./query-datasets.ts";

const defaultLimit = 100;

export function queryRoutes(router: ConnectRouter, dependencies: QueryDependencies): void {
  router.service(DatasetQueryService, {
    async queryDatasets({ views, sql = "", limit = defaultLimit }, context) {
      const named = views.map(({ name = "", ...version }) => ({ name, ref: versionNamed(version, context) }));
      const wanted = { organisationId: callerOf(context).organisationId, views: named, sql, limit };
      const format = wantedFormat(context);
      const page = await queryDatasets(dependencies, { ...wanted, format }, context.signal);
      if (format === "arrow") return { rendered: arrowBody(page.body) };
      const columns = page.columns.map(({ name, type, kind }) => ({ name, type, kind: kindMessages[kind] }));
      return { columns, rows: objectsOf(page.body).map((text) => ({ text })), hasMore: page.hasMore };
    },
  });
}
