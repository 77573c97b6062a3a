import { InvalidFieldsError } from "@aiplatform/service-host";
import type { RunChange } from "../runs/run.ts";

/** Tags that are fields of a run here. */
export const nameTag = "mlflow.runName";
export const notesTag = "mlflow.note.content";

/** Characters of a tag at most, by its name. */
const maxLengths: Readonly<Record<string, number>> = { [nameTag]: 255, [notesTag]: 10_000 };
const maxLength = 1_000;

/** What tags change of a run: its name, its notes, and its tags. @throws InvalidFieldsError, at `field` */
export function changeByTags(tags: readonly { key: string; value: string }[], field: "tags" | "value"): RunChange {
  for (const { key, value } of tags) {
    const most = Object.hasOwn(maxLengths, key) ? (maxLengths[key] ?? maxLength) : maxLength;
    if (value.length <= most) continue;
    const description = `the tag ${key} has ${value.length} characters, and ${most} are the most: store long texts by log_text`;
    throw new InvalidFieldsError([{ field, reason: "TAG_TOO_LONG", description }]);
  }
  const values = new Map(tags.map(({ key, value }) => [key, value]));
  const change = { name: values.get(nameTag), notes: values.get(notesTag) };
  values.delete(nameTag);
  values.delete(notesTag);
  return { ...change, tags: Object.fromEntries(values) };
}

/** What removing a tag changes of a run. @throws InvalidFieldsError for its name, which every run has */
export function changeWithoutTag(key: string): RunChange {
  if (key === notesTag) return { notes: "" };
  if (key !== nameTag) return { tags: { [key]: "" } };
  const description = `is ${nameTag}, the name of the run, which every run has: rename the run instead`;
  throw new InvalidFieldsError([{ field: "key", reason: "TAG_REQUIRED", description }]);
}
