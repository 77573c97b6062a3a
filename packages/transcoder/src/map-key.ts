import type { ProblemList } from "./problem-list.ts";
import type { ValueReader } from "./value-reader.ts";

/** Reads a dictionary's key by the rules of its type; pydantic places a key's problem at the key and `[key]`. */
export function readMapKey(reader: ValueReader, name: string, problems: ProblemList): string | undefined {
  problems.path.push("[key]");
  const key = reader.text?.(name, problems);
  problems.path.pop();
  return key === undefined ? undefined : String(key);
}
