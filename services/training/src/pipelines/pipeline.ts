/** What runs belong to. */
export interface Pipeline {
  id: string;
  name: string;
  createdAt: Date;
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class PipelineNotFoundError extends Error {
  override name = "PipelineNotFoundError";
  constructor() {
    super("Not found");
  }
}
