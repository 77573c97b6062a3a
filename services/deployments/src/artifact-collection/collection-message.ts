import {
  type CollectArtifactsResponse,
  CollectArtifactsResponseSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CollectionPass } from "./collect-artifacts.ts";

export function collectionMessage({ artifacts, hasMore }: CollectionPass): CollectArtifactsResponse {
  return create(CollectArtifactsResponseSchema, {
    artifactCount: artifacts.length,
    sizeBytes: BigInt(artifacts.reduce((sum, each) => sum + each.sizeBytes, 0)),
    artifacts: artifacts.map(({ sha256, sizeBytes, since }) => {
      return { artifactSha256: sha256, sizeBytes: BigInt(sizeBytes), unreferencedSince: timestampFromDate(since) };
    }),
    hasMore,
  });
}
