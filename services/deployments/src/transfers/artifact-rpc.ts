import { callerOf } from "@aiplatform/caller-identity";
import {
  ArtifactService,
  ArtifactCondition as ConditionNumber,
} from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ArtifactCollection } from "../artifact-collection/artifact-collection.ts";
import { collectionMessage } from "../artifact-collection/collection-message.ts";
import type { ArtifactCondition, ArtifactVerifier } from "../artifacts/artifact-verifier.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import { uploadProgress } from "../artifacts/receive-upload.ts";
import type { ModelVersionStore } from "../models/model-version-store.ts";
import type { TrainingCalls } from "../training-calls.ts";
import { downloadUrl } from "./download-url.ts";
import { artifactOfDigest, artifactOfVersion, resultOfJob } from "./find-result.ts";
import { mediaContent } from "./media-content.ts";
import { readArtifact } from "./read-artifact.ts";
import { appendToUpload, putArtifact } from "./receive-body.ts";
import { fileOfRunDataset } from "./run-datasets.ts";

interface Dependencies extends Artifacts {
  modelVersions: ModelVersionStore;
  training: TrainingCalls;
  verifier: Pick<ArtifactVerifier, "verify">;
  artifactCollection: ArtifactCollection;
  clock: () => Date;
}

const defaultUrlSeconds = 300;

const conditionNumbers: Readonly<Record<ArtifactCondition, ConditionNumber>> = {
  intact: ConditionNumber.INTACT,
  damaged: ConditionNumber.DAMAGED,
  missing: ConditionNumber.MISSING,
};

export function artifactRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(ArtifactService, {
    async *downloadArtifact({ artifactSha256, ...wanted }, context) {
      const { organisationId } = callerOf(context);
      const artifact = await artifactOfDigest(dependencies, organisationId, artifactSha256);
      for await (const content of readArtifact(dependencies, artifact, wanted, context)) yield { content };
    },
    async getDownloadUrl({ artifactSha256, expiresInSeconds = defaultUrlSeconds }, context) {
      const { organisationId } = callerOf(context);
      const artifact = await artifactOfDigest(dependencies, organisationId, artifactSha256);
      const { url, expiresAt } = await downloadUrl(dependencies, artifact, expiresInSeconds);
      return { url, expiresAt: timestampFromDate(expiresAt), sizeBytes: BigInt(artifact.sizeBytes) };
    },
    async *verifyArtifact({ artifactSha256 }, context) {
      const { organisationId } = callerOf(context);
      yield { condition: conditionNumbers[await dependencies.verifier.verify(organisationId, artifactSha256)] };
    },
    async collectArtifacts({ dryRun }, context) {
      const { organisationId } = callerOf(context);
      const { artifactCollection: collection } = dependencies;
      const pass = await (dryRun ? collection.tryOut(organisationId) : collection.collect(organisationId));
      return collectionMessage(pass);
    },
    async putArtifact(requests, context) {
      const { organisationId } = callerOf(context);
      const { sha256, sizeBytes } = await putArtifact(dependencies, organisationId, requests);
      return { artifactSha256: sha256, sizeBytes: BigInt(sizeBytes) };
    },
    async getUpload({ artifactSha256 }, context) {
      const { organisationId } = callerOf(context);
      const { receivedBytes, complete } = await uploadProgress(dependencies, organisationId, artifactSha256);
      return { receivedBytes: BigInt(receivedBytes), complete };
    },
    async appendToUpload(requests, context) {
      const { organisationId } = callerOf(context);
      const { receivedBytes, sizeBytes } = await appendToUpload(dependencies, organisationId, requests);
      return { receivedBytes: BigInt(receivedBytes), complete: receivedBytes === sizeBytes };
    },
    async *downloadModelVersion({ modelVersionId, ...wanted }, context) {
      const { organisationId } = callerOf(context);
      const artifact = await artifactOfVersion(dependencies, organisationId, modelVersionId);
      for await (const content of readArtifact(dependencies, artifact, wanted, context)) yield { content };
    },
    async *downloadMedia({ range, ifRange, ...medium }, context) {
      const { artifact, artifacts } = await mediaContent(dependencies, callerOf(context), medium);
      for await (const content of readArtifact({ artifacts }, artifact, { range, ifRange }, context)) yield { content };
    },
    async *downloadRunDataset({ range, ifRange, ...dataset }, context) {
      const artifact = await fileOfRunDataset(dependencies, callerOf(context), dataset);
      for await (const content of readArtifact(dependencies, artifact, { range, ifRange }, context)) yield { content };
    },
    async *downloadJobResult({ range, ifRange, ...job }, context) {
      const { organisationId } = callerOf(context);
      const artifact = await resultOfJob(dependencies, organisationId, job);
      for await (const content of readArtifact(dependencies, artifact, { range, ifRange }, context)) yield { content };
    },
  });
}
