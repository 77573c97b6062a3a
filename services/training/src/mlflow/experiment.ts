import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { Pipeline } from "../pipelines/pipeline.ts";

/** The id that MLflow's clients send where no experiment was chosen. */
const defaultId = "0";
/** Name of the experiment of runs for which none was chosen. */
export const defaultName = "Default";

/** The organisation has an experiment of that name. */
export class ExperimentExistsError extends Error {
  override name = "ExperimentExistsError";
  constructor({ archivedAt }: Pick<Pipeline, "archivedAt">) {
    const remedy = archivedAt ? "It is deleted: restore it, or choose another name" : "Choose another name";
    super(`There is an experiment of that name. ${remedy}`);
  }
}

/** There is no experiment of that name, or it belongs to another organisation. */
export class ExperimentNotFoundError extends NotFoundError {
  override name = "ExperimentNotFoundError";
}

/** What an experiment is named by. */
export type ExperimentName = { id: string } | { name: string };

/** What an id stands for. */
export function experimentNamed(experimentId: string): ExperimentName {
  return experimentId === defaultId || experimentId === "" ? { name: defaultName } : { id: experimentId.toLowerCase() };
}

/** The root of the files of an experiment's runs, or of one run, as MLflow's clients name it. */
export function artifactUri(pipelineId: string, runId?: string): string {
  return `mlflow-artifacts:/${pipelineId}${runId === undefined ? "" : `/${runId}`}`;
}
