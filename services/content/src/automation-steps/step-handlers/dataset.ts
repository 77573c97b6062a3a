import {
  type DatasetVersion,
  type DatasetVersionQueryView,
  DatasetVersionQueryViewSchema,
  DatasetVersionState,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { program } from "../../author.ts";
import type { JsonRecord } from "../../json-object.ts";
import { writtenRows, writtenTables } from "../dataset-sources.ts";
import { idField, idIn, idsIn, missingFields, notExactlyOne, textIn } from "../step-fields.ts";
import { delegatedCall, type StepContext, type StepHandler, type StepServices } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";
import { beginsOnce, type EndedOutcome } from "../waiting-step.ts";
import { unknownMembers } from "../written-messages.ts";

/** A version that the step has begun. */
interface BegunVersion {
  datasetId: string;
  versionId: string;
  number: number;
}

/** Characters of a dataset's name, as in a request that creates one. */
const maxNameLength = 255;

/** Makes a version of a dataset of what a query answers, or of rows; once. Waits until it is ready unless it is not to. */
export const dataset: StepHandler = {
  fields: {
    dataset_id: idField,
    name: { kind: "text", maxLength: maxNameLength },
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
    ...unknownMembers(DatasetVersionQueryViewSchema, fields["tables"], `${place}.tables`),
  ],
  permissions: ({ name }) => [
    ...["data:read", "data:write", "dictionary:read"],
    ...(name === undefined ? [] : ["dictionary:write"]),
  ],
  datasetIds: (fields) => idsIn([fields, fields["tables"]], "dataset_id"),
  execute: beginsOnce({
    kept: begunVersionOf,
    begin,
    observe: observeVersion,
    waitsFor: ({ versionId }) => versionId,
    named: ({ datasetId, versionId, number }) => ({ dataset_id: datasetId, version_id: versionId, number }),
  }),
};

async function begin(services: StepServices, context: StepContext): Promise<BegunVersion> {
  const { fields, effectId: idempotencyKey } = context;
  const source = sourceOf(fields);
  const datasetId = fields["name"] === undefined ? givenDataset(fields) : await newDataset(services, context);
  const request = { datasetId, description: textIn(fields, "description") ?? "", idempotencyKey, ...source };
  const { versions } = services.clients.data;
  const { version } = await versions.createDatasetVersion(request, delegatedCall(services, context));
  if (!version) throw new StepFailedError("The data service has answered no version");
  return { datasetId: version.datasetId, versionId: version.id, number: version.number };
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

/** An id that a template left empty is none: a step without a name was not allowed to create a dataset. @throws StepFailedError */
function givenDataset(fields: JsonRecord): string {
  const id = idIn(fields, "dataset_id");
  if (id === undefined) throw new StepFailedError("dataset_id: it is empty");
  return id;
}

/** Its id is that of the step in this run: again it is the same dataset. @throws StepFailedError */
async function newDataset({ createDataset }: StepServices, context: StepContext): Promise<string> {
  const { organisationId, fields, effectId: id, cause } = context;
  const name = textIn(fields, "name") ?? "";
  const length = [...name].length;
  if (length < 1 || length > maxNameLength) {
    throw new StepFailedError(`name: it must have 1 to ${maxNameLength} characters, and has ${length}`);
  }
  await createDataset({ organisationId, author: program, name, description: "", columns: [] }, { id, cause });
  return id;
}

function begunVersionOf({ datasetId, versionId, number }: JsonRecord): BegunVersion | undefined {
  const isKnown = typeof datasetId === "string" && typeof versionId === "string" && typeof number === "number";
  return isKnown ? { datasetId, versionId, number } : undefined;
}

const gone = new Set<unknown>([DatasetVersionState.PURGING, DatasetVersionState.PURGED]);

async function observeVersion(
  services: StepServices,
  context: StepContext,
  { datasetId, versionId }: BegunVersion,
): Promise<EndedOutcome | undefined> {
  const { versions } = services.clients.data;
  const { version } = await versions.getDatasetVersion({ datasetId, versionId }, delegatedCall(services, context));
  if (version?.state === DatasetVersionState.READY) return { output: outputOf(version), label: "ready" };
  if (version?.state === DatasetVersionState.FAILED) {
    const { message = "", remedy = "" } = version.problem ?? {};
    throw new StepFailedError(`Version ${version.number} of the dataset cannot be made: ${message}. ${remedy}`);
  }
  if (gone.has(version?.state)) throw new StepFailedError("The version was purged before it was ready");
  return undefined;
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
