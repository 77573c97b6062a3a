import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** What runs belong to. */
export interface Pipeline {
  id: string;
  name: string;
  createdAt: Date;
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class PipelineNotFoundError extends NotFoundError {
  override name = "PipelineNotFoundError";
}
