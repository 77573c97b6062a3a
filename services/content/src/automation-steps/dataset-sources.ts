import {
  type DatasetVersionQueryView,
  DatasetVersionQueryViewSchema,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { fromJson } from "@bufbuild/protobuf";
import { isJsonRecord } from "../json-object.ts";
import { fencedText } from "./fenced-text.ts";
import { StepFailedError } from "./step-outcome.ts";

/** As in a request that creates a version. */
export const maxTables = 20;
export const maxRows = 10_000;

/** The versions that a query of a step reads: a list of the contract's DatasetVersionQueryView. @throws StepFailedError */
export function writtenTables(written: unknown): DatasetVersionQueryView[] {
  return listOf(written, "tables", maxTables).map((table, index) => {
    if (!isJsonRecord(table)) throw new StepFailedError(`tables[${index}]: must be an object`);
    const { name, dataset_id, version_id } = table;
    // A template of an earlier step may have left a version out.
    const version = version_id === null || version_id === "" ? {} : { version_id };
    try {
      return fromJson(DatasetVersionQueryViewSchema, JSON.parse(JSON.stringify({ name, dataset_id, ...version })));
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : "cannot be read";
      throw new StepFailedError(`tables[${index}]: ${said}`, { cause });
    }
  });
}

/** The rows as JSON texts of objects. A text is read as JSON: a language model answers texts. @throws StepFailedError */
export function writtenRows(written: unknown): { text: string }[] {
  const rows = listOf(typeof written === "string" ? parsed(written) : written, "rows", maxRows);
  if (rows.length === 0) throw new StepFailedError("rows: there are none");
  return rows.map((row, index) => {
    if (!isJsonRecord(row)) throw new StepFailedError(`rows[${index}]: must be an object`);
    return { text: JSON.stringify(row) };
  });
}

function listOf(written: unknown, name: string, max: number): readonly unknown[] {
  if (!Array.isArray(written)) throw new StepFailedError(`${name}: must be a list`);
  if (written.length > max) throw new StepFailedError(`${name}: there are more than ${max}`);
  return written;
}

/** What a model was asked to write may stand in a code fence. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(fencedText(text) ?? text);
  } catch (cause) {
    throw new StepFailedError("rows: the text is no JSON list", { cause });
  }
}
