import {
  type DatasetVersion,
  type DatasetVersionQueryView,
  DatasetVersionState,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { program } from "../../author.ts";
import type { JsonRecord } from "../../json-object.ts";
import { writtenRows, writtenTables } from "../dataset-sources.ts";
import { idField, idIn, missingFields, notExactlyOne, textIn } from "../step-fields.ts";
import { delegatedCall, type StepContext, type StepHandler, type StepServices } from "../step-handler.ts";
import { StepFailedError, type StepOutcome } from "../step-outcome.ts";

/** A version that the step has begun. */
interface BegunVersion {
  datasetId: string;
  versionId: string;
}

/** Events make it prompt, this makes it certain, ms. */
const pollMs = 5_000;

/** Makes a version of a dataset of what a query answers, or of rows; once. Waits until it is ready unless it is not to. */
export const dataset: StepHandler = {
  fields: {
    dataset_id: idField,
    name: { kind: "text", maxLength: 255 },
    sql: { kind: "text", maxLength: 20_000 },
    tables: { kind: "json" },
    rows: { kind: "json" },
    description: { kind: "text", maxLength: 10_000 },
    wait: { kind: "flag" },
  },
  check: (fields, place) => [
    ...notExactlyOne(fields, place, ["dataset_id", "name"]),
    ...notExactlyOne(fields, place, ["sql", "rows"]),
    ...(fields["sql"] === undefined ? [] : missingFields(fields, place, ["tables"])),
  ],
  permissions: ({ name }) => [
    ...["data:read", "data:write", "dictionary:read"],
    ...(name === undefined ? [] : ["dictionary:write"]),
  ],
  execute: async (services, context) => {
    const { state, fields } = context;
    const known = state && begunVersionOf(state);
    if (known) return await observeVersion(services, context, known);
    const version = await begin(services, context);
    const { id: versionId, datasetId, number } = version;
    if (fields["wait"] === false) return { output: { dataset_id: datasetId, version_id: versionId, number } };
    // What was begun is kept before anything is asked of it.
    return { waitsFor: versionId, state: { datasetId, versionId }, pollMs: 0 };
  },
};

async function begin(services: StepServices, context: StepContext): Promise<DatasetVersion> {
  const { fields, effectId: idempotencyKey } = context;
  const source = sourceOf(fields);
  const datasetId = idIn(fields, "dataset_id") ?? (await newDataset(services, context));
  const request = { datasetId, description: textIn(fields, "description") ?? "", idempotencyKey, ...source };
  const { versions } = services.clients.data;
  const { version } = await versions.createDatasetVersion(request, delegatedCall(services, context));
  if (!version) throw new StepFailedError("The data service has answered no version");
  return version;
}

/** @throws StepFailedError */
function sourceOf(
  fields: JsonRecord,
): { query: { sql: string; views: DatasetVersionQueryView[] } } | { rows: { text: string }[] } {
  const sql = textIn(fields, "sql");
  return sql === undefined
    ? { rows: writtenRows(fields["rows"]) }
    : { query: { sql, views: writtenTables(fields["tables"]) } };
}

/** Its id is that of the step in this run: again it is the same dataset. */
async function newDataset({ createDataset }: StepServices, context: StepContext): Promise<string> {
  const { organisationId, fields, automationName, effectId: id, cause } = context;
  const name = textIn(fields, "name") ?? automationName;
  await createDataset({ organisationId, author: program, name, description: "", columns: [] }, { id, cause });
  return id;
}

function begunVersionOf({ datasetId, versionId }: JsonRecord): BegunVersion | undefined {
  return typeof datasetId === "string" && typeof versionId === "string" ? { datasetId, versionId } : undefined;
}

const gone = new Set<unknown>([DatasetVersionState.PURGING, DatasetVersionState.PURGED]);

async function observeVersion(services: StepServices, context: StepContext, begun: BegunVersion): Promise<StepOutcome> {
  const { versions } = services.clients.data;
  const { version } = await versions.getDatasetVersion(begun, delegatedCall(services, context));
  if (version?.state === DatasetVersionState.READY) return { output: outputOf(version), label: "ready" };
  if (version?.state === DatasetVersionState.FAILED) {
    const { message = "", remedy = "" } = version.problem ?? {};
    throw new StepFailedError(`Version ${version.number} of the dataset cannot be made: ${message}. ${remedy}`);
  }
  if (gone.has(version?.state)) throw new StepFailedError("The version was purged before it was ready");
  return { waitsFor: begun.versionId, state: { ...begun }, pollMs };
}

function outputOf({ id, datasetId, number, rowCount, sizeBytes, contentSha256, columns }: DatasetVersion): JsonRecord {
  return {
    ...{ dataset_id: datasetId, version_id: id, number },
    ...{ row_count: Number(rowCount), size_bytes: Number(sizeBytes), content_sha256: contentSha256 },
    columns: columns.slice(0, maxColumns).map(({ name }) => name),
  };
}

/** Names of columns that later steps are told. */
const maxColumns = 200;
