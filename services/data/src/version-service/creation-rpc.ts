import { callerOf } from "@aiplatform/caller-identity";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { currentCause, idempotent, idempotentPrepared } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { createSuccessor } from "../dataset-successors/create-successor.ts";
import type { CreateVersionDependencies } from "../dataset-versions/create-version.ts";
import { matchingRows, versionMessage } from "../dataset-versions/version-message.ts";
import { prepareVersion } from "./prepare-version.ts";
import { assertMayRead } from "./read-permission.ts";
import { versionNamed } from "./row-rpc.ts";
import { sourceOf } from "./version-source.ts";

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
      const source = sourceOf(request);
      if (source.kind === "query") assertMayRead(caller);
      const { datasetId, description } = request;
      const wanted = { datasetId: datasetId.toLowerCase(), description, source, madeFor: currentCause() };
      const answer = await idempotentPrepared(idempotency, creating, { request, context }, async () => {
        const create = await prepareVersion(dependencies, caller, wanted, context.signal);
        return async (session) => ({ version: versionMessage(await create(session)) });
      });
      notifyWorker();
      return answer;
    },
    async createDatasetSuccessor(request, context) {
      assertMayRead(callerOf(context));
      const { filter = "", description } = request;
      const wanted = { filter, matchingRows: matchingRows[request.matchingRows], description, madeFor: currentCause() };
      const ref = versionNamed(request, context);
      const answer = await idempotent(idempotency, succeeding, { request, context }, async (session) => {
        return { version: versionMessage(await createSuccessor(dependencies, ref, wanted, session)) };
      });
      notifyWorker();
      return answer;
    },
  };
}
