import { InvalidFieldsError } from "@aiplatform/service-host/invalid-fields";
import { maxColumns, maxNameLength } from "../dataset.ts";

/** The sample is not what it is said to be: each sentence says something that is wrong with it. */
export function unreadable(...sentences: string[]): InvalidFieldsError {
  const violation = { field: "sample", reason: "SAMPLE_UNREADABLE" };
  return new InvalidFieldsError(sentences.map((description) => ({ ...violation, description })));
}

/** @throws InvalidFieldsError with everything that keeps names of a file from being the names of columns */
export function assertColumnNames(names: readonly string[]): void {
  if (names.length === 0) throw unreadable("There are no columns");
  if (names.length > maxColumns) throw unreadable(`There are ${names.length} columns; ${maxColumns} are the most`);
  const firsts = new Map<string, number>();
  const problems = names.flatMap((name, index) => {
    const place = `Column ${index + 1}`;
    if (name.trim() === "") return [`${place} has no name`];
    if (isTooLong(name)) return [`${place} has a name of more than ${maxNameLength} characters`];
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, index);
    return first === undefined ? [] : [`${place} has the name of column ${first + 1}`];
  });
  if (problems.length > 0) throw unreadable(...problems);
}

/** Counted in code points, as the contract does. */
function isTooLong(name: string): boolean {
  return name.length > maxNameLength && [...name].length > maxNameLength;
}
