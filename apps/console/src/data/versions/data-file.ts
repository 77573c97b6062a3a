import type { components } from "@aiplatform/client";

/** A file as a version names it. */
export type NewFile = components["schemas"]["DatasetFile"];
type Format = NewFile["format"];
type Compression = NonNullable<NewFile["compression"]>;

/** Bytes that a browser uploads at most: its digest is made in memory. Larger files are uploaded by the command line. */
export const maxFileBytes = 512 * 1024 ** 2;

const formats: Readonly<Record<string, Format>> = {
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
};
const compressions: Readonly<Record<string, Compression>> = { gz: "gzip", zst: "zstd" };

/** What the input for files offers. */
export const acceptedFiles = [...Object.keys(formats), ...Object.keys(compressions)].map((end) => `.${end}`).join(",");

/** What a file is, by its name; undefined: none of what a version is made of. */
export function kindOf(name: string): Pick<NewFile, "format" | "compression"> | undefined {
  const ends = name.toLowerCase().split(".").slice(1);
  const compression = compressions[ends.at(-1) ?? ""];
  const format = formats[(compression ? ends.at(-2) : ends.at(-1)) ?? ""];
  if (format === undefined) return undefined;
  return { format, ...(compression && { compression }) };
}
