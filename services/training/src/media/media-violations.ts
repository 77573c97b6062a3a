import type { Histogram, MediaFile, ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import type { FieldViolation } from "@aiplatform/service-host";
import { type MediaKindName, mediaKinds, mediaLimits } from "./media.ts";
import { kindNames } from "./media-message.ts";

/** What is wrong, and where in a medium. */
interface Problem {
  at: string;
  description: string;
}

/** Everything that is wrong with media of a request and that no schema can say: one for each of them. */
export function mediaViolations(media: readonly ReportedMedia[]): FieldViolation[] {
  return media.flatMap((medium, index) => {
    const problem = problemOf(medium);
    if (!problem) return [];
    return [{ field: `media[${index}].${problem.at}`, reason: "MEDIA_INVALID", description: problem.description }];
  });
}

function problemOf({ kind, content }: ReportedMedia): Problem | undefined {
  const name = kindNames[kind];
  const { inline, files } = mediaKinds[name];
  if (content.case === "file") return files ? problemOfFile(name, content.value, files) : misplaced(name, content.case);
  if (content.case !== inline) return misplaced(name, content.case);
  if (content.case === "histogram") return problemOfHistogram(content.value);
  return content.case === "table" ? problemOfTable(content.value.text) : undefined;
}

function misplaced(kind: MediaKindName, found = "kind"): Problem {
  const { inline, files } = mediaKinds[kind];
  const wanted = [inline, files && "file"].filter((each) => each !== undefined).join(" or ");
  return { at: found, description: `is no content of ${articled(kind)}: give ${wanted}` };
}

function problemOfFile(
  kind: MediaKindName,
  { mediaType, sizeBytes }: MediaFile,
  { mediaTypes, maxBytes }: { mediaTypes: readonly string[]; maxBytes: number },
): Problem | undefined {
  if (!mediaTypes.includes(mediaType)) {
    return { at: "file.media_type", description: `of ${articled(kind)} must be ${mediaTypes.join(", ")}` };
  }
  if (sizeBytes <= maxBytes) return undefined;
  return { at: "file.size_bytes", description: `is more than the ${maxBytes} bytes that ${articled(kind)} may have` };
}

function problemOfHistogram({ edges, counts }: Pick<Histogram, "edges" | "counts">): Problem | undefined {
  if (edges.length !== counts.length + 1) {
    const description = `are ${edges.length} for ${counts.length} counts; there must be one more than counts`;
    return { at: "histogram.edges", description };
  }
  const index = edges.findIndex((edge, at) => at > 0 && edge <= (edges[at - 1] ?? edge));
  if (index < 0) return undefined;
  return { at: `histogram.edges[${index}]`, description: "must be higher than the edge before it" };
}

function problemOfTable(text: string): Problem | undefined {
  const { inlineTableBytes, tableColumns } = mediaLimits;
  if (Buffer.byteLength(text) > inlineTableBytes) {
    return { at: "table", description: `has more than ${inlineTableBytes} bytes: upload it, and name it as file` };
  }
  const { columns, rows }: Record<string, unknown> = JSON.parse(text || "{}");
  if (!Array.isArray(columns) || !Array.isArray(rows)) {
    return { at: "table", description: "needs the lists columns and rows" };
  }
  if (columns.length < 1 || columns.length > tableColumns || !columns.every(isColumnName)) {
    const names = `1 to ${tableColumns} names of at most ${mediaLimits.columnNameLength} characters`;
    return { at: "table.columns", description: `must be ${names}` };
  }
  const index = rows.findIndex((row) => !isRow(row, columns.length));
  if (index < 0) return undefined;
  const description = `must be a list of ${columns.length} texts, numbers, true, false or null: one for each column`;
  return { at: `table.rows[${index}]`, description };
}

function isColumnName(name: unknown): boolean {
  return typeof name === "string" && name.length <= mediaLimits.columnNameLength;
}

const cellTypes: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

function isRow(row: unknown, columns: number): boolean {
  const isCell = (cell: unknown) => cell === null || cellTypes.has(typeof cell);
  return Array.isArray(row) && row.length === columns && row.every(isCell);
}

function articled(kind: MediaKindName): string {
  return kind === "image" ? `an ${kind}` : `a ${kind}`;
}
