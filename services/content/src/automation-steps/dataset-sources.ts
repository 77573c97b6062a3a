import {
  type DatasetVersionQueryView,
  DatasetVersionQueryViewSchema,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { fencedText } from "./fenced-text.ts";
import { StepFailedError } from "./step-outcome.ts";
import { writtenList, writtenMessage, writtenObject } from "./written-messages.ts";

/** As in a request that creates a version. */
const maxTables = 20;
const maxRows = 10_000;

/** The versions that a query of a step reads: a list of the contract's DatasetVersionQueryView. @throws StepFailedError */
export function writtenTables(written: unknown): DatasetVersionQueryView[] {
  return writtenList(written, "tables", maxTables).map((table, index) => {
    const place = `tables[${index}]`;
    const { version_id, ...members } = writtenObject(table, place);
    // A template of an earlier step may have left a version out.
    const isLeftOut = version_id === undefined || version_id === null || version_id === "";
    const view = isLeftOut ? members : { ...members, version_id };
    return writtenMessage(DatasetVersionQueryViewSchema, view, place);
  });
}

/** The rows as JSON texts of objects. A text is read as JSON: a language model answers texts. @throws StepFailedError */
export function writtenRows(written: unknown): { text: string }[] {
  const rows = writtenList(typeof written === "string" ? parsed(written) : written, "rows", maxRows);
  if (rows.length === 0) throw new StepFailedError("rows: there are none");
  return rows.map((row, index) => ({ text: JSON.stringify(writtenObject(row, `rows[${index}]`)) }));
}

/** What a model was asked to write may stand in a code fence. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(fencedText(text) ?? text);
  } catch (cause) {
    throw new StepFailedError("rows: the text is no JSON list", { cause });
  }
}
