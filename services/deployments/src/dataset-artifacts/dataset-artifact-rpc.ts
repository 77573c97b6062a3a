import { callerOf } from "@aiplatform/caller-identity";
import {
  DatasetArtifactService,
  type StoreDatasetArtifactRequest,
} from "@aiplatform/contract/aiplatform/deployments/v1/dataset_artifacts";
import { firstMessage } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import type { CollectDependencies } from "../artifact-collection/collect-artifacts.ts";
import { eraseArtifacts } from "../artifact-collection/erase-artifacts.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import type { DataCalls } from "../data-calls.ts";
import { putArtifact } from "../transfers/receive-body.ts";

interface Dependencies extends Artifacts {
  data: Pick<DataCalls, "assertKnown">;
  erasure: CollectDependencies;
}

/** Whatever the data service is given here, the collection of artifacts has to ask it for: none without its address. */
export function datasetArtifactRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { data, artifacts, erasure } = dependencies;
  router.service(DatasetArtifactService, {
    async describeDatasetArtifacts({ artifactSha256s }, context) {
      data.assertKnown();
      return { artifacts: await sizesOf(dependencies, callerOf(context).organisationId, artifactSha256s) };
    },
    async *readDatasetArtifact({ organisationId, artifactSha256, offset, lengthBytes }) {
      const range = lengthBytes > 0n ? { offset: Number(offset), length: Number(lengthBytes) } : undefined;
      for await (const bytes of artifacts.read(organisationId, artifactSha256, range)) yield { data: bytes };
    },
    async storeDatasetArtifact(requests) {
      data.assertKnown();
      return { sizeBytes: BigInt(await store(dependencies, requests)) };
    },
    async eraseDatasetArtifacts({ organisationId, artifactSha256s }) {
      return { keptSha256s: await eraseArtifacts(erasure, organisationId, artifactSha256s) };
    },
  });
}

/** Those that are stored. From now on each is kept for the retention at least. */
async function sizesOf({ artifacts }: Artifacts, organisationId: string, digests: readonly string[]) {
  const found: { artifactSha256: string; sizeBytes: bigint }[] = [];
  for (const artifactSha256 of new Set(digests)) {
    const size = await artifacts.sizeOf(organisationId, artifactSha256);
    if (size !== undefined) found.push({ artifactSha256, sizeBytes: BigInt(size) });
  }
  return found;
}

async function store(dependencies: Artifacts, requests: AsyncIterable<StoreDatasetArtifactRequest>): Promise<number> {
  const { first, messages } = await firstMessage(requests);
  const { sizeBytes } = await putArtifact(dependencies, first?.organisationId ?? "", messages);
  return sizeBytes;
}
