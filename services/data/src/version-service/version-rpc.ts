import { callerOf } from "@aiplatform/caller-identity";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { idempotent } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import { type CreateVersionDependencies, createVersion, lookUpFiles } from "../dataset-versions/create-version.ts";
import { listVersions } from "../dataset-versions/list-versions.ts";
import { type PurgeVersionDependencies, purgeVersion } from "../dataset-versions/purge-version.ts";
import { versionContent } from "../dataset-versions/version-content.ts";
import { compressions, formats, versionMessage } from "../dataset-versions/version-message.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import { type RowRpcDependencies, rowMethods, versionNamed } from "./row-rpc.ts";

export interface VersionRpcDependencies
  extends CreateVersionDependencies,
    PurgeVersionDependencies,
    RowRpcDependencies {
  idempotency: Pick<IdempotencyStore, "run">;
  versions: DatasetVersionStore;
  artifacts: StoredArtifacts;
  /** Has versions that wait claimed at once. */
  notifyWorker: () => void;
}

const defaultLimit = 100;

export function versionRoutes(router: ConnectRouter, dependencies: VersionRpcDependencies): void {
  const { createDatasetVersion: method } = DatasetVersionService.method;
  router.service(DatasetVersionService, {
    ...rowMethods(dependencies),
    async createDatasetVersion(request, context) {
      const caller = callerOf(context);
      const datasetId = request.datasetId.toLowerCase();
      const named = request.files.map(({ artifactSha256: sha256, name = "", format, compression }) => {
        return { sha256, name, format: formats[format], compression: compressions[compression] };
      });
      const files = await lookUpFiles(dependencies, caller, { datasetId, files: named });
      const wanted = { organisationId: caller.organisationId, datasetId, description: request.description, files };
      const answer = await idempotent(dependencies.idempotency, method, { request, context }, async (session) => {
        return { version: versionMessage(await createVersion(dependencies, wanted, session)) };
      });
      dependencies.notifyWorker();
      return answer;
    },
    async listDatasetVersions({ datasetId, limit = defaultLimit, ...request }, context) {
      const wanted = { ...request, limit, datasetId: datasetId.toLowerCase() };
      const { items, nextCursor } = await listVersions(dependencies, callerOf(context), wanted);
      return { versions: items.map(versionMessage), nextCursor };
    },
    async getDatasetVersion(request, context) {
      return { version: versionMessage(await dependencies.versions.get(versionNamed(request, context))) };
    },
    async *downloadDatasetVersion({ range, ifRange, ...named }, context) {
      const version = await readyVersion(dependencies, versionNamed(named, context));
      const pieces = versionContent(dependencies.artifacts, version, { range, ifRange }, context);
      for await (const content of pieces) yield { content };
    },
    async purgeDatasetVersion(request, context) {
      const version = await purgeVersion(dependencies, versionNamed(request, context));
      dependencies.notifyWorker();
      return { version: versionMessage(version) };
    },
  });
}
