import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { ActiveJobsError } from "../job-log/active-jobs.ts";

/** What runs belong to. */
export interface Pipeline {
  id: string;
  name: string;
  description: string;
  /** JSON text of an object, as it was sent. */
  annotations: string;
  createdAt: Date;
  updatedAt: Date;
  /** Absent while it is not archived. */
  archivedAt?: Date;
}

/** What a caller may say of a pipeline; what is undefined stays as it is. */
export interface PipelineChange {
  name?: string | undefined;
  description?: string | undefined;
  /** Or what is made of those that there are. */
  annotations?: string | ((known: string) => string) | undefined;
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class PipelineNotFoundError extends NotFoundError {
  override name = "PipelineNotFoundError";
}

/** Jobs of its runs are active. */
export class PipelineActiveError extends ActiveJobsError {
  override name = "PipelineActiveError";
}

/** An archived pipeline takes nothing new. */
export class PipelineArchivedError extends Error {
  override name = "PipelineArchivedError";
  constructor() {
    super("The pipeline is archived. Restore it first");
  }
}

/** The pipeline after the change; itself where that changes nothing. */
export function changedPipeline(pipeline: Pipeline, change: PipelineChange, at: Date): Pipeline {
  const {
    name = pipeline.name,
    description = pipeline.description,
    annotations: given = pipeline.annotations,
  } = change;
  const annotations = typeof given === "function" ? given(pipeline.annotations) : given;
  const isSame = name === pipeline.name && description === pipeline.description && annotations === pipeline.annotations;
  return isSame ? pipeline : { ...pipeline, name, description, annotations, updatedAt: at };
}
