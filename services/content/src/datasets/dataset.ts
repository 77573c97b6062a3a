import type { FieldViolation } from "@aiplatform/service-host";

/** What the values of a column are, as far as it is known. */
export type ColumnType = "string" | "integer" | "number" | "boolean" | "date" | "date_time";

/** A column of a dataset. */
export interface Column {
  /** Exactly as in the data. */
  name: string;
  type: ColumnType;
}

/** A dataset. */
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

/** Columns of a dataset at most. */
export const mostColumns = 5_000;
/** Characters of a column's name at most. */
export const longestName = 255;
/** Datasets of an organisation at most. */
export const mostDatasets = 10_000;

/** The dataset does not exist, or not here. */
export class DatasetNotFoundError extends Error {
  override name = "DatasetNotFoundError";
  readonly datasetId: string;
  constructor(datasetId: string) {
    super("Not found");
    this.datasetId = datasetId;
  }
}

/** The organisation has as many datasets as it can have. */
export class DatasetLimitError extends Error {
  override name = "DatasetLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${mostDatasets} datasets`);
  }
}

const uuid = /^(?:urn:uuid:|\{)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/;

/** A dataset's id in the spelling that we keep. What is no UUID in any spelling stays as it is, and is no dataset's. */
export function datasetIdIn(text: string): string {
  return uuid.exec(text.toLowerCase())?.slice(1).join("-") ?? text;
}

/** A list in which each name may stand once: of a request, or of a file. */
export function repeatedNames(field: string, names: readonly string[]): FieldViolation[] {
  const firsts = new Map<string, number>();
  return names.flatMap((name, index) => {
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, index);
    if (first === undefined) return [];
    const description = `the name stands at ${first} already`;
    return [{ field: `${field}[${index}].name`, reason: "NAME_REPEATED", description }];
  });
}

/** Whether two lists of columns are the same. */
export function areSameColumns(some: readonly Column[], others: readonly Column[]): boolean {
  const isSame = ({ name, type }: Column, index: number) => name === others[index]?.name && type === others[index].type;
  return some.length === others.length && some.every(isSame);
}
