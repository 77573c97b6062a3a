import type { JsonRecord } from "../json-object.ts";
import type { StepRun } from "./automation-run.ts";

/** Bytes of what one step made, as JSON. */
export const maxOutputBytes: number = 64 * 1024;
/** Bytes of what all steps of a run made. */
const maxRunBytes = 4 * 1024 * 1024;
/** Room for the names, quotes and the note. */
const overhead = 1_024;

/** What a step made as JSON text: texts of it are cut where it is too much, and it says so as `cut`. */
export function boundedOutput(output: JsonRecord, earlier: readonly Pick<StepRun, "output">[]): string {
  const used = earlier.reduce((sum, { output: made = "" }) => sum + Buffer.byteLength(made), 0);
  const most = Math.min(maxOutputBytes, Math.max(0, maxRunBytes - used));
  const whole = JSON.stringify(output);
  if (Buffer.byteLength(whole) <= most) return whole;
  const texts = Object.values(output).filter((value) => typeof value === "string").length;
  const share = Math.floor((most - overhead) / Math.max(1, texts));
  const shortened = Object.entries(output).map(([name, value]) => [
    name,
    typeof value === "string" ? cut(value, share) : value,
  ]);
  const text = JSON.stringify({ ...Object.fromEntries(shortened), cut: true });
  return Buffer.byteLength(text) <= most ? text : JSON.stringify({ cut: true });
}

/** The beginning of a text, such that it has at most so many bytes as JSON. */
function cut(text: string, bytes: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed();
}
