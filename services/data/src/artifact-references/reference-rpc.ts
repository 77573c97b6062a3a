import { DatasetReferenceService } from "@aiplatform/contract/aiplatform/data/v1/dataset_references";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ArtifactReferences } from "./artifact-references.ts";

export function referenceRoutes(router: ConnectRouter, { references }: { references: ArtifactReferences }): void {
  router.service(DatasetReferenceService, {
    async findArtifactsOfDatasets({ organisationId, artifactSha256s }) {
      return { artifactSha256s: await references.among(organisationId, artifactSha256s) };
    },
  });
}
