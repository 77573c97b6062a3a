import { callerOf } from "@aiplatform/caller-identity";
import { ModelService, type UploadArtifactRequest } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { idempotent } from "@aiplatform/service-host";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Artifacts } from "../artifacts/artifacts.ts";
import { receiveUpload, type UploadPiece, uploadProgress } from "../artifacts/receive-upload.ts";
import { createModel } from "./create-model.ts";
import { createModelVersion } from "./create-model-version.ts";
import { getModelVersion, type LineageDependencies } from "./get-model-version.ts";
import { listModelVersions } from "./list-model-versions.ts";
import { modelMessage, modelVersionMessage } from "./model-message.ts";
import type { ModelStore } from "./model-store.ts";
import { retryModelVersion } from "./retry-model-version.ts";

interface Dependencies
  extends Artifacts,
    LineageDependencies,
    Pick<DomainPlatform, "outbox" | "idempotency" | "transaction" | "clock" | "newId"> {
  models: ModelStore;
}

export function modelRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { createModel: method } = ModelService.method;
  router.service(ModelService, {
    createModel: (request, context) =>
      idempotent(dependencies.idempotency, method, { request, context }, async (session) => {
        const { organisationId } = callerOf(context);
        const { name = "", description } = request;
        return { model: modelMessage(await createModel(dependencies, { organisationId, name, description }, session)) };
      }),
    async listModels({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.models.list(organisationId, { ...request, limit });
      return { models: items.map(modelMessage), nextCursor };
    },
    async getModel({ modelId }, context) {
      const { organisationId } = callerOf(context);
      return { model: modelMessage(await dependencies.models.get(organisationId, modelId)) };
    },
    async createModelVersion({ modelId, format = "", artifactSha256 = "" }, context) {
      const { organisationId } = callerOf(context);
      const spec = { organisationId, modelId, format, artifactSha256 };
      return { version: modelVersionMessage(await createModelVersion(dependencies, spec)) };
    },
    async listModelVersions({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const page = { ...request, limit };
      const { items, nextCursor } = await listModelVersions(dependencies, organisationId, page);
      return { versions: items.map((version) => modelVersionMessage(version)), nextCursor };
    },
    async getModelVersion({ modelVersionId }, context) {
      const { organisationId } = callerOf(context);
      const lineage = await getModelVersion(dependencies, organisationId, modelVersionId);
      return { version: modelVersionMessage(lineage.version, lineage.deploymentIds) };
    },
    async retryModelVersion({ modelVersionId }, context) {
      const { organisationId } = callerOf(context);
      return { version: modelVersionMessage(await retryModelVersion(dependencies, organisationId, modelVersionId)) };
    },
    async getArtifactUpload({ artifactSha256 }, context) {
      const { organisationId } = callerOf(context);
      const { receivedBytes, complete } = await uploadProgress(dependencies, organisationId, artifactSha256);
      return { receivedBytes: BigInt(receivedBytes), complete };
    },
    async uploadArtifact(requests, context) {
      const { organisationId } = callerOf(context);
      const { sha256, sizeBytes } = await receiveUpload(dependencies, organisationId, piecesOf(requests));
      return { artifactSha256: sha256, sizeBytes: BigInt(sizeBytes) };
    },
  });
}

async function* piecesOf(requests: AsyncIterable<UploadArtifactRequest>): AsyncGenerator<UploadPiece> {
  for await (const { artifactSha256: sha256, sizeBytes, offset, data: bytes } of requests) {
    yield { sha256, sizeBytes: Number(sizeBytes), offset: Number(offset), bytes };
  }
}
