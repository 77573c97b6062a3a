import type { ColumnType } from "@aiplatform/column-types";
import {
  ColumnType as ColumnTypes,
  type Dataset as DatasetMessage,
  DatasetSchema,
} from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Dataset } from "./dataset.ts";

/** Nothing said is text: that is what everything can be read as. */
export const columnTypes: Readonly<Record<ColumnTypes, ColumnType>> = {
  [ColumnTypes.UNSPECIFIED]: "string",
  [ColumnTypes.STRING]: "string",
  [ColumnTypes.INTEGER]: "integer",
  [ColumnTypes.NUMBER]: "number",
  [ColumnTypes.BOOLEAN]: "boolean",
  [ColumnTypes.DATE]: "date",
  [ColumnTypes.DATE_TIME]: "date_time",
};

const columnMessages: Readonly<Record<ColumnType, ColumnTypes>> = {
  string: ColumnTypes.STRING,
  integer: ColumnTypes.INTEGER,
  number: ColumnTypes.NUMBER,
  boolean: ColumnTypes.BOOLEAN,
  date: ColumnTypes.DATE,
  date_time: ColumnTypes.DATE_TIME,
};

export function datasetMessage({ columns, createdAt, updatedAt, ...dataset }: Dataset): DatasetMessage {
  return create(DatasetSchema, {
    ...dataset,
    columns: columns.map(({ name, type }) => ({ name, type: columnMessages[type] })),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}
