import { LimitError, NotFoundError } from "../entity-error.ts";
/** What the values of a column are, as far as it is known. */
export type ColumnType = "string" | "integer" | "number" | "boolean" | "date" | "date_time";

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
