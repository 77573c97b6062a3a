import { DatasetMarkService } from "@aiplatform/contract/aiplatform/content/v1/dataset_marks";
import type { ConnectRouter } from "@connectrpc/connect";
import { datasetIdIn } from "../data-dictionaries/data-dictionary.ts";
import type { DatasetStore } from "./dataset-store.ts";

export function datasetMarkRoutes(router: ConnectRouter, { datasets }: { datasets: Pick<DatasetStore, "get"> }): void {
  router.service(DatasetMarkService, {
    async findSensitiveColumns({ organisationId, datasetId }) {
      const { sensitiveColumns: columns } = await datasets.get(organisationId, datasetIdIn(datasetId));
      return { columns };
    },
  });
}
