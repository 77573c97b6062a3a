import type { ColumnType } from "@aiplatform/column-types";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { EntityError, LimitError } from "../entity-error.ts";

export interface Column {
  /** Exactly as in the data. */
  name: string;
  type: ColumnType;
}

export interface Dataset {
  id: string;
  organisationId: string;
  name: string;
  description: string;
  /** In their order in the data; no name twice. */
  columns: Column[];
  /** Names of columns whose values leave the platform for no other service; sorted. */
  sensitiveColumns: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** The beginning of a file of data, or the whole. */
export interface Sample {
  format: "csv" | "parquet";
  bytes: Uint8Array;
}

/** Columns of a dataset at most. */
export const maxColumns = 5_000;
/** Characters of a column's name at most. */
export const maxNameLength = 255;
/** Datasets of an organisation at most. */
export const maxDatasets = 10_000;

export class DatasetNotFoundError extends NotFoundError {
  override name = "DatasetNotFoundError";
}

/** What uses a dataset, by id. */
export interface DatasetUses {
  /** Published ones. */
  automationIds: readonly string[];
  deploymentIds: readonly string[];
}

/** Ids of a kind that an error names. */
const maxNamed = 5;

/** Something uses the dataset. */
export class DatasetInUseError extends EntityError {
  override name = "DatasetInUseError";
  constructor(datasetId: string, { automationIds, deploymentIds }: DatasetUses) {
    const users = [...named("automation", automationIds), ...named("deployment", deploymentIds)].join(" and ");
    super(datasetId, `The dataset is used by ${users}. Delete these or change them first`);
  }
}

function named(kind: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const further = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return [`${kind}${ids.length === 1 ? "" : "s"} ${ids.slice(0, maxNamed).join(", ")}${further}`];
}

export class DatasetLimitError extends LimitError {
  override name = "DatasetLimitError";
  constructor() {
    super(maxDatasets, "datasets");
  }
}

export function areSameColumns(some: readonly Column[], others: readonly Column[]): boolean {
  const isSame = ({ name, type }: Column, index: number) => name === others[index]?.name && type === others[index].type;
  return some.length === others.length && some.every(isSame);
}
