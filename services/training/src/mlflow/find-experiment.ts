import type { ClientSession } from "@aiplatform/document-store";
import type { Pipeline } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import { type ExperimentName, ExperimentNotFoundError } from "./experiment.ts";

/** @throws PipelineNotFoundError, ExperimentNotFoundError */
export async function findExperiment(
  pipelines: Pick<PipelineStore, "get" | "findNamed">,
  organisationId: string,
  named: ExperimentName,
  session?: ClientSession,
): Promise<Pipeline> {
  if ("id" in named) return pipelines.get(organisationId, named.id, session);
  const found = await pipelines.findNamed(organisationId, named.name, session);
  if (!found) throw new ExperimentNotFoundError();
  return found;
}
