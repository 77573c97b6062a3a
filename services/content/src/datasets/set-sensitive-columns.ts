import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { OperationContext } from "../operation-context.ts";
import type { Dataset } from "./dataset.ts";
import { datasetSensitiveColumnsSet } from "./dataset-events.ts";
import type { DatasetStore } from "./dataset-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  datasets: DatasetStore;
}

export interface SensitiveColumns {
  organisationId: string;
  datasetId: string;
  columns: readonly string[];
}

/** Names the sensitive columns of a dataset, in the place of those before. Again it changes nothing. @throws InvalidFieldsError, DatasetNotFoundError */
export function setSensitiveColumns(
  { datasets, outbox, transaction, clock }: Dependencies,
  { organisationId, datasetId, columns }: SensitiveColumns,
): Promise<Dataset> {
  assertNone(repeatedColumns(columns));
  const sensitiveColumns = [...columns].sort();
  return transaction(async (session) => {
    const dataset = await datasets.get(organisationId, datasetId, session);
    const isSame = sensitiveColumns.join("\n") === dataset.sensitiveColumns.join("\n");
    if (isSame && sensitiveColumns.length === dataset.sensitiveColumns.length) return dataset;
    const time = clock();
    const changed = { ...dataset, sensitiveColumns, updatedAt: time };
    await datasets.setSensitiveColumns(organisationId, changed, session);
    await outbox.stage(session, datasetSensitiveColumnsSet(changed, time));
    return changed;
  });
}

function repeatedColumns(columns: readonly string[]): FieldViolation[] {
  const known = new Set<string>();
  return columns.flatMap((name, index) => {
    if (!known.has(name)) {
      known.add(name);
      return [];
    }
    const description = "stands in the list already: leave it out";
    return [{ field: `columns[${index}]`, reason: "NAME_REPEATED", description }];
  });
}
