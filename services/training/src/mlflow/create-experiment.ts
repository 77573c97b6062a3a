import { type ClientSession, DuplicateKeyError } from "@aiplatform/document-store";
import { v5 as namedId } from "uuid";
import { type CreatePipelineDependencies, createPipeline } from "../pipelines/create-pipeline.ts";
import type { Pipeline } from "../pipelines/pipeline.ts";
import type { ChangePipelineDependencies } from "../pipelines/update-pipeline.ts";
import { defaultName, ExperimentExistsError, type ExperimentName } from "./experiment.ts";
import { findExperiment } from "./find-experiment.ts";

export type CreateExperimentDependencies = CreatePipelineDependencies & ChangePipelineDependencies;

/** @throws ExperimentExistsError, QuotaExceededError */
export async function createExperiment(
  dependencies: CreateExperimentDependencies,
  organisationId: string,
  wanted: Pick<Pipeline, "name" | "annotations">,
): Promise<Pipeline> {
  const create = (session: ClientSession) => createOnce(dependencies, organisationId, wanted, session);
  try {
    return await dependencies.transaction(create);
  } catch (error) {
    // Another request created it at the same time.
    if (error instanceof DuplicateKeyError) throw new ExperimentExistsError({});
    throw error;
  }
}

async function createOnce(
  dependencies: CreateExperimentDependencies,
  organisationId: string,
  { name, annotations }: Pick<Pipeline, "name" | "annotations">,
  session: ClientSession,
): Promise<Pipeline> {
  const { pipelines, newId } = dependencies;
  const known = await pipelines.findNamed(organisationId, name, session);
  if (known) throw new ExperimentExistsError(known);
  // An id that follows from the name lets the primary key refuse a second one. It may be taken by a pipeline that was renamed since.
  const id = namedId(`mlflow/${name}`, organisationId);
  const isTaken = (await pipelines.find(organisationId, id, session)) !== undefined;
  const named = { ...dependencies, newId: () => (isTaken ? newId() : id) };
  return createPipeline(named, organisationId, { name, description: "", annotations }, session);
}

/** The experiment of a new run: the default one is created where it is missing. @throws PipelineNotFoundError, QuotaExceededError */
export async function experimentOfNewRun(
  dependencies: CreateExperimentDependencies,
  organisationId: string,
  named: ExperimentName,
): Promise<Pipeline> {
  const { pipelines } = dependencies;
  if ("id" in named) return findExperiment(pipelines, organisationId, named);
  const known = await pipelines.findNamed(organisationId, named.name);
  if (known) return known;
  try {
    return await createExperiment(dependencies, organisationId, { name: defaultName, annotations: "{}" });
  } catch (error) {
    if (!(error instanceof ExperimentExistsError)) throw error;
    return findExperiment(pipelines, organisationId, named);
  }
}
