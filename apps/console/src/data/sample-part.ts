import type { components } from "@aiplatform/client";

type SampleFormat = components["schemas"]["SampleFormat"];

/** Bytes of a sample at most: as base64 in JSON they fit into a request of one mebibyte. */
export const maxSampleBytes = 720 * 1024;

/** What a file is, by its name. */
export function formatOf(name: string): SampleFormat {
  return name.toLowerCase().endsWith(".parquet") ? "parquet" : "csv";
}

/** Which bytes of a file are enough: of CSV the beginning, of Parquet the end, which has the schema. */
export function samplePart(format: SampleFormat, size: number): { start: number; end: number } {
  if (size <= maxSampleBytes) return { start: 0, end: size };
  return format === "csv" ? { start: 0, end: maxSampleBytes } : { start: size - maxSampleBytes, end: size };
}

/** The sample of a file as base64. @throws DOMException when the browser cannot read the file */
export function readSample(file: File): Promise<string> {
  const { start, end } = samplePart(formatOf(file.name), file.size);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file.slice(start, end));
  });
}
