import {
  HistogramSchema,
  MediaKind,
  type ReportedMedia,
  ReportedMediaSchema,
} from "@aiplatform/contract/aiplatform/training/v1/media";
import { JsonObjectSchema } from "@aiplatform/contract/transcoder/v1/json";
import { create } from "@bufbuild/protobuf";
import type { Cell } from "../workload.ts";

/** Something that cannot be shown; the message says why. */
export class MediaError extends Error {
  override name = "MediaError";
}

/** Bytes that are uploaded before a report names them. */
export interface MediaContent {
  bytes: Uint8Array;
  mediaType: string;
}

/** What is shown at the step under way: its content within the report, or a file. */
export interface Medium {
  shown: ReportedMedia;
  file?: MediaContent;
}

/** Characters of a text in a report; a longer one is uploaded. */
const maxInlineText = 8_192;
const maxInlineTableBytes = 16_384;
const maxImageBytes = 10_485_760;
/** Of a text or table that is uploaded. */
const maxTextBytes = 1_048_576;
const maxBins = 512;
const maxColumns = 100;
const maxNameLength = 255;

/** Which bytes begin an image, in hexadecimal. */
const signatures: readonly (readonly [mediaType: string, pattern: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/webp", /^52494646.{8}57454250/],
];

/** A PNG, JPEG or WebP of at most 10 MiB. @throws MediaError */
export function image(name: string, bytes: Uint8Array): Medium {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const mediaType = signatures.find(([, pattern]) => pattern.test(head))?.[0];
  if (!mediaType) throw new MediaError("the bytes are no PNG, JPEG or WebP");
  if (bytes.length > maxImageBytes)
    throw new MediaError(`the image has ${bytes.length} bytes, and an image may have ${maxImageBytes}`);
  return { shown: named(name, MediaKind.IMAGE), file: { bytes, mediaType } };
}

/** At most 1 MiB. @throws MediaError */
export function text(name: string, content: string): Medium {
  const shown = named(name, MediaKind.TEXT);
  if (content.length > maxInlineText) return { shown, file: textFile(content, "text/plain") };
  return { shown: { ...shown, content: { case: "text", value: content } } };
}

/** Numbers that are not finite are shown as text. @throws MediaError */
export function table(name: string, columns: readonly string[], rows: Iterable<readonly Cell[]>): Medium {
  const shown = named(name, MediaKind.TABLE);
  if (columns.length < 1 || columns.length > maxColumns || columns.some((column) => column.length > maxNameLength))
    throw new MediaError(
      `a table has 1 to ${maxColumns} columns, whose names have at most ${maxNameLength} characters`,
    );
  const cells = Array.from(rows, (row, number) => {
    if (row.length !== columns.length)
      throw new MediaError(`row ${number} has ${row.length} cells for ${columns.length} columns`);
    return row.map((cell) => (typeof cell === "number" && !Number.isFinite(cell) ? String(cell) : cell));
  });
  const written = JSON.stringify({ columns, rows: cells });
  if (Buffer.byteLength(written) > maxInlineTableBytes) return { shown, file: textFile(written, "application/json") };
  const value = create(JsonObjectSchema, { text: written });
  return { shown: { ...shown, content: { case: "table", value } } };
}

/** Counts the finite numbers in ranges of equal width. `bins`: how many; default 64, at most 512. @throws MediaError */
export function histogram(name: string, values: Iterable<number>, bins = 64): Medium {
  if (!Number.isInteger(bins) || bins < 1 || bins > maxBins)
    throw new MediaError(`a histogram has 1 to ${maxBins} bins`);
  const finite = Array.from(values).filter(Number.isFinite);
  const { low, high } = rangeOf(finite);
  const counts = new Array<number>(bins).fill(0);
  for (const value of finite) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / ((high - low) / bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const edges = Array.from({ length: bins }, (_, bin) => low + ((high - low) * bin) / bins);
  const value = create(HistogramSchema, { edges: [...edges, high], counts });
  return { shown: { ...named(name, MediaKind.HISTOGRAM), content: { case: "histogram", value } } };
}

function named(name: string, kind: MediaKind): ReportedMedia {
  if (name.length < 1 || name.length > maxNameLength)
    throw new MediaError(`a name has 1 to ${maxNameLength} characters`);
  return create(ReportedMediaSchema, { name, kind });
}

function textFile(written: string, mediaType: string): MediaContent {
  const bytes = Buffer.from(written);
  if (bytes.length > maxTextBytes)
    throw new MediaError(`it has ${bytes.length} bytes, and a text or table may have ${maxTextBytes}`);
  return { bytes, mediaType };
}

/** One whose ends differ, also where all values are the same. */
function rangeOf(values: readonly number[]): { low: number; high: number } {
  let [low, high] = [values[0] ?? 0, values[0] ?? 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const margin = Math.max(Math.abs(low), Math.abs(high)) * 1e-6 || 0.5;
  return high - low > margin / 2 ? { low, high } : { low: low - margin, high: high + margin };
}
