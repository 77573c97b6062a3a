import { callerOf } from "@aiplatform/caller-identity";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { idempotent, idempotentPrepared } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { createSuccessor } from "../dataset-successors/create-successor.ts";
import { type CreateVersionDependencies, createVersion, lookUpFiles } from "../dataset-versions/create-version.ts";
import { compressions, formats, matchingRows, versionMessage } from "../dataset-versions/version-message.ts";
import { assertMayRead } from "./read-permission.ts";
import { versionNamed } from "./row-rpc.ts";

export interface CreationRpcDependencies extends CreateVersionDependencies {
  idempotency: Pick<IdempotencyStore, "run" | "runPrepared">;
  /** Has versions that wait claimed at once. */
  notifyWorker: () => void;
}

type CreationMethods = Pick<
  ServiceImpl<typeof DatasetVersionService>,
  "createDatasetVersion" | "createDatasetSuccessor"
>;

/** Methods that create versions. */
export function creationMethods(dependencies: CreationRpcDependencies): CreationMethods {
  const { idempotency, notifyWorker } = dependencies;
  const { createDatasetVersion: creating, createDatasetSuccessor: succeeding } = DatasetVersionService.method;
  return {
    async createDatasetVersion(request, context) {
      const caller = callerOf(context);
      const datasetId = request.datasetId.toLowerCase();
      const named = request.files.map(({ artifactSha256: sha256, name = "", format, compression }) => {
        return { sha256, name, format: formats[format], compression: compressions[compression] };
      });
      const answer = await idempotentPrepared(idempotency, creating, { request, context }, async () => {
        const files = await lookUpFiles(dependencies, caller, { datasetId, files: named });
        const wanted = { organisationId: caller.organisationId, datasetId, description: request.description, files };
        return async (session) => ({ version: versionMessage(await createVersion(dependencies, wanted, session)) });
      });
      notifyWorker();
      return answer;
    },
    async createDatasetSuccessor(request, context) {
      assertMayRead(callerOf(context));
      const { filter = "", description } = request;
      const wanted = { filter, matchingRows: matchingRows[request.matchingRows], description };
      const ref = versionNamed(request, context);
      const answer = await idempotent(idempotency, succeeding, { request, context }, async (session) => {
        return { version: versionMessage(await createSuccessor(dependencies, ref, wanted, session)) };
      });
      notifyWorker();
      return answer;
    },
  };
}
