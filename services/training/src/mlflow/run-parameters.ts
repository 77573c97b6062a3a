import { InvalidFieldsError } from "@aiplatform/service-host";
import { textsOf, withTexts } from "./flat-object.ts";

/** A parameter keeps the value that it was given first. */
export class ParameterChangedError extends InvalidFieldsError {
  override name = "ParameterChangedError";
  constructor(key: string) {
    const description = `the parameter ${key} has another value already, and parameters keep theirs: log it under another name, or in a new run`;
    super([{ field: "params", reason: "PARAMETER_CHANGED", description }]);
  }
}

/** The parameters of a run, as JSON text, with those that are logged. @throws ParameterChangedError */
export function withParameters(known: string, logged: readonly { key: string; value: string }[]): string {
  const values = textsOf(known);
  const added = new Map<string, string>();
  for (const { key, value } of logged) {
    const earlier = values.get(key);
    if (earlier !== undefined && earlier !== value) throw new ParameterChangedError(key);
    if (earlier === undefined) added.set(key, value);
    values.set(key, value);
  }
  return added.size === 0 ? known : withTexts(known, added);
}
