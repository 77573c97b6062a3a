import { isDeepStrictEqual } from "node:util";
import { assertNone } from "@aiplatform/service-host";
import type { OperationContext } from "../operation-context.ts";
import { repeatedNames } from "../repeated-names.ts";
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
  assertNone(repeatedNames(columns, (index) => `columns[${index}]`));
  const sensitiveColumns = [...columns].sort();
  return transaction(async (session) => {
    const dataset = await datasets.get(organisationId, datasetId, session);
    if (isDeepStrictEqual(sensitiveColumns, dataset.sensitiveColumns)) return dataset;
    const time = clock();
    const changed = { ...dataset, sensitiveColumns, updatedAt: time };
    await datasets.setSensitiveColumns(organisationId, changed, session);
    await outbox.stage(session, datasetSensitiveColumnsSet(changed, time));
    return changed;
  });
}
