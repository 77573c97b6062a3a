import { ArtifactReferenceService } from "@aiplatform/contract/aiplatform/training/v1/artifact_references";
import type { ConnectRouter } from "@connectrpc/connect";
import { type ArtifactReferences, referencedArtifacts } from "./artifact-references.ts";

export function artifactReferenceRoutes(
  router: ConnectRouter,
  { artifactReferences }: { artifactReferences: readonly ArtifactReferences[] },
): void {
  router.service(ArtifactReferenceService, {
    async findReferencedArtifacts({ organisationId, artifactSha256s }) {
      return { artifactSha256s: await referencedArtifacts(artifactReferences, organisationId, artifactSha256s) };
    },
  });
}
