import type {
  AcknowledgeCommandRequestSchema,
  ArtifactSchema,
  CheckpointSchema,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Outcome, PublishedArtifact, SavedCheckpoint } from "../workload.ts";

export function checkpointMessage({
  createdAt,
  sizeBytes,
  metrics,
  ...rest
}: SavedCheckpoint): MessageInitShape<typeof CheckpointSchema> {
  return { ...rest, metrics: { ...metrics }, sizeBytes: BigInt(sizeBytes), createdAt: timestampFromMs(createdAt) };
}

export function artifactMessage({
  sizeBytes,
  metrics,
  ...rest
}: PublishedArtifact): MessageInitShape<typeof ArtifactSchema> {
  return { ...rest, metrics: { ...metrics }, sizeBytes: BigInt(sizeBytes) };
}

type OutcomeMessage = NonNullable<
  Exclude<MessageInitShape<typeof AcknowledgeCommandRequestSchema>, { $typeName: string }>["outcome"]
>;

export function outcomeMessage({ refused, applied = {} }: Outcome): OutcomeMessage {
  if (refused !== undefined) return { case: "refused", value: { detail: refused.slice(0, 4_096) || "refused" } };
  const { checkpoint, artifact, ...rest } = applied;
  const saved = checkpoint ? { checkpoint: checkpointMessage(checkpoint) } : {};
  const published = artifact ? { artifact: artifactMessage(artifact) } : {};
  return { case: "applied", value: { ...rest, ...saved, ...published } };
}
