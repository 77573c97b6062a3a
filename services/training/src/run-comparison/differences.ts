import { compareNumberTexts } from "../control-commands/decimal-text.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonValue,
  NumberText,
  parseJsonText,
} from "../control-commands/json-text.ts";

/** What a run was started with, as JSON texts of objects. */
export interface Declared {
  parameters: string;
  configuration: string;
}

/** A value that is not the same in all runs. */
export interface Difference {
  /** Such as `configuration.optimizer.rate`. */
  path: string;
  /** JSON text in each run, in their order; undefined: the run has no such value. */
  values: (string | undefined)[];
}

export interface Differences {
  differences: Difference[];
  /** Whether there are more than are shown. */
  truncated: boolean;
}

const maxDifferences = 500;
/** Values of one run that are looked at. */
const maxValues = 10_000;

type Values = Map<string, JsonValue>;

/** What differs between runs, by path. Members of objects are compared one by one, lists as a whole. */
export function differencesOf(runs: readonly Declared[]): Differences {
  try {
    return compared(runs);
  } catch (error) {
    // Nested more deeply than the stack is.
    if (error instanceof RangeError) return { differences: [], truncated: true };
    throw error;
  }
}

function compared(runs: readonly Declared[]): Differences {
  const all = runs.map(valuesOf);
  const paths = [...new Set(all.flatMap(({ values }) => [...values.keys()]))].sort();
  const found: Difference[] = [];
  let truncated = all.some((each) => each.truncated);
  for (const path of paths) {
    const values = all.map((each) => each.values.get(path));
    if (values.every((value) => areEqual(value, values[0]))) continue;
    if (found.length === maxDifferences) {
      truncated = true;
      break;
    }
    found.push({ path, values: values.map((value) => (value === undefined ? undefined : canonicalJson(value))) });
  }
  return { differences: found, truncated };
}

function valuesOf({ parameters, configuration }: Declared): { values: Values; truncated: boolean } {
  const values: Values = new Map();
  const waiting: [string, JsonValue][] = [
    ["configuration", parseJsonText(configuration)],
    ["parameters", parseJsonText(parameters)],
  ];
  // A loop: objects may be nested deeper than the stack is.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next;
    const members = isJsonObject(value) ? Object.entries(value) : [];
    if (members.length === 0 && !isRootPath(path)) values.set(path, value);
    if (values.size + waiting.length + members.length > maxValues) return { values, truncated: true };
    for (const [name, member] of members) waiting.push([`${path}.${name}`, member]);
  }
  return { values, truncated: false };
}

/** An empty object at the root is no value. */
function isRootPath(path: string): boolean {
  return path === "configuration" || path === "parameters";
}

/** Numbers count by their value: 0.1 is 0.10. */
function areEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one instanceof NumberText && other instanceof NumberText) return compareNumberTexts(one.text, other.text) === 0;
  return canonicalJson(one) === canonicalJson(other);
}
