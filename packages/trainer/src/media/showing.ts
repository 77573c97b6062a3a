import type { ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import type { StepListener } from "../workload.ts";
import type { MediaFiles } from "./media-files.ts";
import { histogram, image, type Medium, table, text } from "./medium.ts";

/** The part of a listener that shows something beside numbers. */
export function showing(show: (medium: Medium) => void): Pick<StepListener, "image" | "histogram" | "table" | "text"> {
  return {
    image: (name, bytes) => show(image(name, bytes)),
    histogram: (name, values, bins) => show(histogram(name, values, bins)),
    table: (name, columns, rows) => show(table(name, columns, rows)),
    text: (name, content) => show(text(name, content)),
  };
}

/** What a report says of a medium; undefined where its file cannot be kept. `files`: undefined where there is nowhere to store them later. */
export function reportedOf(
  { shown, file }: Medium,
  files: MediaFiles | undefined,
  log: (line: string) => void,
): ReportedMedia | undefined {
  if (!file) return shown;
  try {
    const content = files?.keep(file);
    if (content) return { ...shown, content };
    log(`${shown.name} is not shown: ${files ? "too many files wait" : "give runTrainer a store for files"}`);
  } catch (error) {
    log(`${shown.name} is not shown: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}
