import type { Page } from "../../api/page.ts";
import type { AuditRecord } from "../../api/platform.ts";

/** A form in which records are saved: one JSON object a line, or a table. */
export type ExportFormat = "ndjson" | "csv";

/** Records of one file at most: more are better read by a program. */
export const maxRecords = 100_000;

/** A file of records. */
export interface ExportedFile {
  parts: BlobPart[];
  count: number;
  /** Whether there were more than one file has. */
  isCut: boolean;
}

interface ExportOptions {
  format: ExportFormat;
  /** Reads the page that begins at a cursor; undefined: the first. */
  read: (cursor: string | undefined) => Promise<Page<AuditRecord>>;
  /** Gets how many records there are so far. */
  onProgress: (count: number) => void;
}

/** Reads records page after page and writes each page as a part of a file. */
export async function exportRecords({ format, read, onProgress }: ExportOptions): Promise<ExportedFile> {
  const parts: BlobPart[] = format === "csv" ? [csvHead] : [];
  const write = format === "csv" ? csvLine : (record: AuditRecord) => `${JSON.stringify(record)}\n`;
  let count = 0;
  let cursor: string | undefined;
  do {
    const { items, next } = await read(cursor);
    const taken = items.slice(0, maxRecords - count);
    parts.push(taken.map(write).join(""));
    count += taken.length;
    onProgress(count);
    cursor = next;
    if (count >= maxRecords) return { parts, count, isCut: cursor !== undefined || taken.length < items.length };
  } while (cursor !== undefined);
  return { parts, count, isCut: false };
}

/** Columns of the table, and what each shows. */
const columns: readonly (readonly [name: string, read: (record: AuditRecord) => string | number | null])[] = [
  ["at", ({ at }) => at],
  ["member_id", ({ actor }) => actor.member_id],
  ["credential_id", ({ actor }) => actor.credential_id],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["reason", ({ reason }) => reason],
  ["rpc", ({ rpc }) => rpc],
  ["entity_id", ({ entity_id }) => entity_id],
  ["request_id", ({ request_id }) => request_id],
  ["request_id_source", ({ request_id_source }) => request_id_source],
  ["source_address", ({ source_address }) => source_address],
  ["count", ({ count }) => count],
  ["id", ({ id }) => id],
  ["details", ({ details }) => details && JSON.stringify(details)],
];

const csvHead = `${columns.map(([name]) => name).join(",")}\r\n`;

function csvLine(record: AuditRecord): string {
  return `${columns.map(([, read]) => csvField(read(record))).join(",")}\r\n`;
}

/**
 * A field as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe: callers choose request ids.
 */
export function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
