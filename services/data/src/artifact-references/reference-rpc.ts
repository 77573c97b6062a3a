import { DatasetReferenceService } from "@aiplatform/contract/aiplatform/data/v1/dataset_references";
import type { ConnectRouter } from "@connectrpc/connect";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";

export function referenceRoutes(
  router: ConnectRouter,
  { versions }: { versions: Pick<DatasetVersionStore, "artifactsAmong"> },
): void {
  router.service(DatasetReferenceService, {
    async findArtifactsOfDatasets({ organisationId, artifactSha256s }) {
      return { artifactSha256s: await versions.artifactsAmong(organisationId, artifactSha256s) };
    },
  });
}
