import { PipelineArchivedError } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import { type Run, RunArchivedError } from "./run.ts";
import type { RunStore } from "./run-store.ts";

export interface ArchiveDependencies {
  runs: Pick<RunStore, "find">;
  pipelines: Pick<PipelineStore, "find">;
}

/** Read from the database, so that it holds at every replica at once. @throws RunArchivedError, PipelineArchivedError */
export async function assertNotArchived(
  { runs, pipelines }: ArchiveDependencies,
  { organisationId, pipelineId, id }: Pick<Run, "organisationId" | "pipelineId" | "id">,
): Promise<void> {
  const [run, pipeline] = await Promise.all([
    runs.find(organisationId, id),
    pipelines.find(organisationId, pipelineId),
  ]);
  if (run?.archivedAt) throw new RunArchivedError();
  if (pipeline?.archivedAt) throw new PipelineArchivedError();
}
