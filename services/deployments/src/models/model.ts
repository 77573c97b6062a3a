import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** What can be deployed, version after version. */
export interface Model {
  id: string;
  organisationId: string;
  /** Unique in the organisation. */
  name: string;
  description: string;
  /** The pipeline whose completed runs become versions. */
  pipelineId?: string | undefined;
  newestReadyVersionId?: string | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** Models of an organisation at most; those of pipelines are made whatever their number. */
export const maxModels = 10_000;

/** The model does not exist, or not here. */
export class ModelNotFoundError extends NotFoundError {
  override name = "ModelNotFoundError";
}

export class ModelNameTakenError extends Error {
  override name = "ModelNameTakenError";
  constructor(modelName: string) {
    super(`The organisation has a model with the name ${modelName}`);
  }
}

/** The organisation has as many models as it can have. */
export class ModelLimitError extends Error {
  override name = "ModelLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${maxModels} models`);
  }
}

/** Characters of a model's name at most. */
const maxNameLength = 255;

/** Names for the model of a pipeline, the one to be preferred first: all of them are tried before an id makes it unique. */
export function namesForPipeline(pipelineName: string, pipelineId: string): string[] {
  const numbers = Array.from({ length: 98 }, (_, index) => ` (${index + 2})`);
  return ["", ...numbers, ` (${pipelineId})`].map((suffix) => {
    const room = maxNameLength - suffix.length;
    return `${[...pipelineName].slice(0, room).join("")}${suffix}`;
  });
}
