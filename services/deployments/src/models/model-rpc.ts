import { callerOf } from "@aiplatform/caller-identity";
import { ModelService, type UploadArtifactRequest } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { replayable } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { receiveUpload, type UploadPiece, uploadProgress } from "../artifacts/receive-upload.ts";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { createModel } from "./create-model.ts";
import { createModelVersion } from "./create-model-version.ts";
import { getModel } from "./get-model.ts";
import { getModelVersion } from "./get-model-version.ts";
import { listModelVersions } from "./list-model-versions.ts";
import { modelMessage, modelVersionMessage } from "./model-messages.ts";

/** Serves ModelService. */
export function modelRoutes(router: ConnectRouter, dependencies: DeploymentsDependencies): void {
  const { createModel: method } = ModelService.method;
  router.service(ModelService, {
    createModel: (request, context) =>
      replayable(dependencies.replays, method, { request, context }, async (session) => {
        const { organisationId } = callerOf(context);
        const { name = "", description } = request;
        return { model: modelMessage(await createModel(dependencies, { organisationId, name, description }, session)) };
      }),
    async listModels({ limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.models.list(organisationId, { limit, cursor });
      return { models: items.map(modelMessage), nextCursor };
    },
    async getModel({ modelId }, context) {
      const { organisationId } = callerOf(context);
      return { model: modelMessage(await getModel(dependencies, organisationId, modelId.toLowerCase())) };
    },
    async createModelVersion({ modelId, format = "", artifactSha256 = "" }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, modelId: modelId.toLowerCase(), format, artifactSha256 };
      return { version: modelVersionMessage(await createModelVersion(dependencies, wanted)) };
    },
    async listModelVersions({ modelId, limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const request = { modelId: modelId.toLowerCase(), limit, cursor };
      const { items, nextCursor } = await listModelVersions(dependencies, organisationId, request);
      return { versions: items.map((version) => modelVersionMessage(version)), nextCursor };
    },
    async getModelVersion({ modelVersionId }, context) {
      const { organisationId } = callerOf(context);
      const lineage = await getModelVersion(dependencies, organisationId, modelVersionId.toLowerCase());
      return { version: modelVersionMessage(lineage.version, lineage.deploymentIds) };
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
