import { ArtifactsCollectedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { UnreferencedArtifact } from "../artifacts/artifact-mark-store.ts";

export function artifactsCollected(
  organisationId: string,
  artifacts: readonly UnreferencedArtifact[],
  time: Date,
): OutboxRecord {
  const artifactSha256s = artifacts.map(({ sha256 }) => sha256);
  const sizeBytes = BigInt(artifacts.reduce((sum, each) => sum + each.sizeBytes, 0));
  const message = create(ArtifactsCollectedSchema, { organisationId, artifactSha256s, sizeBytes });
  return eventRecord(ArtifactsCollectedSchema, message, { organisationId, entityId: organisationId, time });
}
