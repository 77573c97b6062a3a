import type { Caller } from "@aiplatform/caller-identity";
import type { PutMlflowArtifactRequest } from "@aiplatform/contract/aiplatform/deployments/v1/run_files";
import { firstMessage } from "@aiplatform/service-host";
import type { Artifacts } from "../artifacts/artifacts.ts";
import type { TrainingCalls } from "../training-calls.ts";
import { assertKnownRun } from "./known-run.ts";
import { receiveFile } from "./receive-file.ts";
import { assertFilePath, type RunFile, RunFileNotFoundError, RunFilesLimitError, runNamed } from "./run-file.ts";
import type { RunFileStore } from "./run-file-store.ts";

export interface PutRunFileDependencies extends Artifacts {
  runFiles: RunFileStore;
  training: Pick<TrainingCalls, "ask">;
  clock: () => Date;
}

/**
 * Stores a file of a run. Sent again, it has one effect.
 * @throws InvalidFieldsError, RunFileNotFoundError, TrainingUnavailableError, RunFilesLimitError, and what {@link receiveFile} throws
 */
export async function putRunFile(
  dependencies: PutRunFileDependencies,
  caller: Caller,
  messages: AsyncIterable<PutMlflowArtifactRequest>,
): Promise<RunFile> {
  const { runFiles, training, clock } = dependencies;
  const { organisationId } = caller;
  const { first, messages: all } = await firstMessage(messages);
  const { pipelineId = "", runId = "", path = "", sizeBytes } = first ?? {};
  const run = runNamed({ pipelineId, runId });
  assertFilePath(path);
  await assertKnownRun(training, caller, run);
  const isNew = (await runFiles.find(organisationId, { ...run, path })) === undefined;
  if (isNew && !(await runFiles.hasRoom(organisationId, run))) throw new RunFilesLimitError();
  const announced = sizeBytes === undefined ? undefined : Number(sizeBytes);
  const stored = await receiveFile(dependencies, organisationId, { sizeBytes: announced, pieces: bytesOf(all) });
  const file = { organisationId, ...run, path, ...stored, createdAt: clock() };
  await runFiles.put(file);
  try {
    // The run may have been deleted, and its files removed, while the bytes came.
    await assertKnownRun(training, caller, run);
  } catch (error) {
    // While training is silent, a file that has taken the place of an earlier one stays.
    if (isNew || error instanceof RunFileNotFoundError) await runFiles.remove(file);
    throw error;
  }
  return file;
}

async function* bytesOf(messages: AsyncIterable<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of messages) if (data.byteLength > 0) yield data;
}
