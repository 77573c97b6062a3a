import { callerOf } from "@aiplatform/caller-identity";
import {
  MlflowArtifactService,
  type MlflowFileInfo,
  MlflowFileInfoSchema,
  type RunFile as RunFileMessage,
  RunFileSchema,
  RunFileService,
} from "@aiplatform/contract/aiplatform/deployments/v1/run_files";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { readArtifact } from "../transfers/read-artifact.ts";
import type { FolderEntry } from "./folder.ts";
import { type PutRunFileDependencies, putRunFile } from "./put-run-file.ts";
import { artifactOfFile, listFolder, listRunFiles } from "./read-run-files.ts";
import type { RunFile } from "./run-file.ts";

const defaultLimit = 100;

export function runFileRoutes(router: ConnectRouter, dependencies: PutRunFileDependencies): void {
  router.service(RunFileService, {
    async listRunFiles({ limit = defaultLimit, ...request }, context) {
      const { items, nextCursor } = await listRunFiles(dependencies, callerOf(context), { ...request, limit });
      return { files: items.map(fileMessage), nextCursor };
    },
    async *downloadRunFile({ range, ifRange, ...named }, context) {
      const artifact = await artifactOfFile(dependencies, callerOf(context).organisationId, named);
      for await (const content of readArtifact(dependencies, artifact, { range, ifRange }, context)) yield { content };
    },
  });
  router.service(MlflowArtifactService, {
    async listMlflowArtifacts({ path }, context) {
      return { files: (await listFolder(dependencies, callerOf(context), path)).map(entryMessage) };
    },
    async *downloadMlflowArtifact(named, context) {
      const artifact = await artifactOfFile(dependencies, callerOf(context).organisationId, named);
      const all = { range: "", ifRange: "" };
      for await (const content of readArtifact(dependencies, artifact, all, context)) yield { content };
    },
    async putMlflowArtifact(requests, context) {
      await putRunFile(dependencies, callerOf(context), requests);
      return {};
    },
  });
}

function fileMessage({ path, sha256, sizeBytes, createdAt }: RunFile): RunFileMessage {
  return create(RunFileSchema, {
    ...{ path, sha256, sizeBytes: BigInt(sizeBytes) },
    createdAt: timestampFromDate(createdAt),
  });
}

function entryMessage({ name, sizeBytes }: FolderEntry): MlflowFileInfo {
  return create(MlflowFileInfoSchema, { path: name, isDir: sizeBytes === undefined, fileSize: BigInt(sizeBytes ?? 0) });
}
