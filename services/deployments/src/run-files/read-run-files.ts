import type { Caller } from "@aiplatform/caller-identity";
import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { TrainingCalls } from "../training-calls.ts";
import { type NamedArtifact, storedArtifact } from "../transfers/read-artifact.ts";
import { entriesOf, type FolderEntry, folderNamed } from "./folder.ts";
import { assertKnownRun } from "./known-run.ts";
import { type RunFile, RunFileNotFoundError, type RunOfPipeline, runNamed } from "./run-file.ts";
import type { RunFileStore } from "./run-file-store.ts";

export interface ReadRunFilesDependencies {
  runFiles: RunFileStore;
  training: Pick<TrainingCalls, "ask">;
  artifacts: Pick<ArtifactStore, "sizeOf">;
}

/** A page of a run's files. @throws RunFileNotFoundError, TrainingUnavailableError, InvalidListRequestError, InvalidCursorError */
export async function listRunFiles(
  { runFiles, training }: ReadRunFilesDependencies,
  caller: Caller,
  { pipelineId, runId, ...request }: RunOfPipeline & ListPageRequest,
): Promise<Page<RunFile>> {
  const run = { pipelineId, runId };
  await assertKnownRun(training, caller, run);
  return runFiles.list(caller.organisationId, run, request);
}

/** What is in a folder, named `pipeline/run/folder`. @throws RunFileNotFoundError, TrainingUnavailableError, InvalidFieldsError */
export async function listFolder(
  { runFiles, training }: ReadRunFilesDependencies,
  caller: Caller,
  path: string,
): Promise<FolderEntry[]> {
  const { folder, ...named } = folderNamed(path);
  const run = runNamed(named);
  await assertKnownRun(training, caller, run);
  return entriesOf(folder, await runFiles.below(caller.organisationId, { ...run, folder }));
}

/** The bytes of a file. @throws RunFileNotFoundError, ArtifactMissingError */
export async function artifactOfFile(
  { runFiles, artifacts }: Pick<ReadRunFilesDependencies, "runFiles" | "artifacts">,
  organisationId: string,
  named: RunOfPipeline & { path: string },
): Promise<NamedArtifact> {
  const file = await runFiles.find(organisationId, named);
  if (!file) throw new RunFileNotFoundError();
  const { sha256, path } = file;
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  return await storedArtifact(artifacts, { organisationId, sha256, fileName });
}
