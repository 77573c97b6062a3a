import { setImmediate as turn } from "node:timers/promises";
import { compareNumberTexts } from "../control-commands/decimal-text.ts";
import { canonicalJson, isJsonObject, type JsonValue, NumberText, parseJsonText } from "../job-log/json-text.ts";

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
/** Characters of each of the two texts of a run that are looked at. */
const maxTextLength = 256 * 1_024;
/** Characters that are compared before others get their turn. */
const turnLength = 64 * 1_024;

/** A value, and its text, which is the same however the value was written; numbers have many texts. */
interface Value {
  json: JsonValue;
  text: string;
}

interface Values {
  byPath: Map<string, Value>;
  /** Whether some of the run's values are left out. */
  truncated: boolean;
}

/** What differs between runs, by path. Members of objects are compared one by one, lists as a whole. */
export async function differencesOf(runs: readonly Declared[]): Promise<Differences> {
  const all: Values[] = [];
  for (const run of runs) {
    all.push(valuesOf(run));
    await turn();
  }
  const differences: Difference[] = [];
  for await (const [path, values] of valuesByPath(all)) {
    if (values.every((value) => areEqual(value, values[0]))) continue;
    if (differences.length === maxDifferences) return { differences, truncated: true };
    differences.push({ path, values: values.map((value) => value?.text) });
  }
  return { differences, truncated: all.some(({ truncated }) => truncated) };
}

/** Each path with its value in every run, without the paths of which it is not known whether a run has them. */
async function* valuesByPath(all: readonly Values[]): AsyncGenerator<[string, (Value | undefined)[]]> {
  let length = 0;
  for (const path of [...new Set(all.flatMap(({ byPath }) => [...byPath.keys()]))].sort()) {
    const values = all.map(({ byPath }) => byPath.get(path));
    length += path.length + values.reduce((sum, value) => sum + (value?.text.length ?? 0), 0);
    if (length > turnLength) {
      length = 0;
      await turn();
    }
    if (!all.some(({ truncated, byPath }) => truncated && !byPath.has(path))) yield [path, values];
  }
}

function valuesOf({ parameters, configuration }: Declared): Values {
  const byPath = new Map<string, Value>();
  if (Math.max(parameters.length, configuration.length) > maxTextLength) return { byPath, truncated: true };
  try {
    return { byPath, truncated: !addMembers(byPath, { parameters, configuration }) };
  } catch (error) {
    // Nested more deeply than the stack is.
    if (error instanceof RangeError) return { byPath, truncated: true };
    throw error;
  }
}

/** @returns Whether all of them were added. */
function addMembers(byPath: Values["byPath"], { parameters, configuration }: Declared): boolean {
  const waiting: [string, JsonValue][] = [
    ["configuration", parseJsonText(configuration)],
    ["parameters", parseJsonText(parameters)],
  ];
  // A loop: objects may be nested deeper than the stack is.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, json] = next;
    const members = isJsonObject(json) ? Object.entries(json) : [];
    if (members.length === 0 && !isRootPath(path)) byPath.set(path, { json, text: canonicalJson(json) });
    if (byPath.size + waiting.length + members.length > maxValues) return false;
    for (const [name, member] of members) waiting.push([`${path}.${name}`, member]);
  }
  return true;
}

/** An empty object at the root is no value. */
function isRootPath(path: string): boolean {
  return path === "configuration" || path === "parameters";
}

/** Numbers count by their value: 0.1 is 0.10. */
function areEqual(one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.json instanceof NumberText && other.json instanceof NumberText) {
    return compareNumberTexts(one.json.text, other.json.text) === 0;
  }
  return one.text === other.text;
}
