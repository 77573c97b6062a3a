import {
  type DatasetStatistics,
  DatasetStatisticsSchema,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { ColumnStatistics, JsonValue, Statistics } from "@aiplatform/data-engine";
import { create } from "@bufbuild/protobuf";
import { kindMessages } from "../dataset-versions/version-message.ts";

const json = (value: JsonValue) => ({ text: JSON.stringify(value) });

export function statisticsMessage({ rowCount, columns }: Statistics): DatasetStatistics {
  return create(DatasetStatisticsSchema, { rowCount: BigInt(rowCount), columns: columns.map(columnMessage) });
}

function columnMessage({ kind, nulls, distinct, isDistinctApproximate, mean, ...column }: ColumnStatistics) {
  return {
    name: column.name,
    type: column.type,
    kind: kindMessages[kind],
    nullCount: BigInt(nulls),
    ...(distinct !== null && { distinctCount: BigInt(distinct) }),
    distinctIsApproximate: isDistinctApproximate,
    min: json(column.min),
    max: json(column.max),
    ...(mean !== null && { mean }),
    quantiles: column.quantiles.map(({ quantile: probability, value }) => ({ probability, value })),
    histogram: column.histogram.map(({ from, to, count }) => ({
      from: json(from),
      to: json(to),
      count: BigInt(count),
    })),
    topValues: column.top.map(({ value, count }) => ({ value: json(value), count: BigInt(count) })),
  };
}
