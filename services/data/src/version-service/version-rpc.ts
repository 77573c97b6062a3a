import { callerOf } from "@aiplatform/caller-identity";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { ConnectRouter } from "@connectrpc/connect";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import { listVersions } from "../dataset-versions/list-versions.ts";
import { type PurgeVersionDependencies, purgeVersion } from "../dataset-versions/purge-version.ts";
import { versionContent } from "../dataset-versions/version-content.ts";
import { versionMessage } from "../dataset-versions/version-message.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import { type CreationRpcDependencies, creationMethods } from "./creation-rpc.ts";
import { type RowRpcDependencies, rowMethods, versionNamed } from "./row-rpc.ts";

export interface VersionRpcDependencies extends CreationRpcDependencies, PurgeVersionDependencies, RowRpcDependencies {
  versions: DatasetVersionStore;
  artifacts: StoredArtifacts;
}

const defaultLimit = 100;

export function versionRoutes(router: ConnectRouter, dependencies: VersionRpcDependencies): void {
  router.service(DatasetVersionService, {
    ...creationMethods(dependencies),
    ...rowMethods(dependencies),
    async listDatasetVersions({ datasetId, limit = defaultLimit, ...request }, context) {
      const wanted = { ...request, limit, datasetId: datasetId.toLowerCase() };
      const { items, nextCursor } = await listVersions(dependencies, callerOf(context), wanted);
      return { versions: items.map((version) => versionMessage(version)), nextCursor };
    },
    async getDatasetVersion(request, context) {
      const version = await dependencies.versions.get(versionNamed(request, context));
      return { version: versionMessage(version, callerOf(context).permissions) };
    },
    async *downloadDatasetVersion({ range, ifRange, ...named }, context) {
      const version = await readyVersion(dependencies, versionNamed(named, context));
      const pieces = versionContent(dependencies.artifacts, version, { range, ifRange }, context);
      for await (const content of pieces) yield { content };
    },
    async purgeDatasetVersion(request, context) {
      const wanted = { ...versionNamed(request, context), dryRun: request.dryRun };
      const version = await purgeVersion(dependencies, wanted);
      dependencies.notifyWorker();
      return { version: versionMessage(version, callerOf(context).permissions) };
    },
  });
}
