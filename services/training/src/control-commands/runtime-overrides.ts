import type { Action } from "../job-log/job-entry.ts";
import { canonicalJson, isJsonObject, type JsonValue, NumberText, parseJsonText } from "../job-log/json-text.ts";
import type { OverrideClass, OverrideDeclaration } from "../runs/run.ts";
import { compareNumberTexts, isIntegerText } from "./decimal-text.ts";

const allowedClasses: Readonly<Record<Action, readonly OverrideClass[]>> = {
  continue: ["hot"],
  pause: [],
  resume: ["hot", "resources"],
  rollback: ["hot"],
  warm_restart: ["hot", "cold", "resources"],
  finish_from_checkpoint: [],
  abort: [],
};

/** Max length of `runtime_overrides`, in UTF-16 units: every command of a job stays in its log. */
export const maxOverridesLength = 65_536;

export interface Overrides {
  members: { [key: string]: JsonValue };
  /** The same for all spellings of the same object. */
  canonical: string;
}

const noOverrides: Overrides = { members: {}, canonical: "{}" };

/** Undefined when the text is not that of an object, or nested too deeply. */
export function parseOverrides(text: string): Overrides | undefined {
  if (text === "" || text === "{}") return noOverrides;
  try {
    const members = parseJsonText(text);
    return isJsonObject(members) ? { members, canonical: canonicalJson(members) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Why the job does not take these overrides with this action, naming the key; undefined when it does. */
export function overridesRefusal(action: Action, declared: OverrideDeclaration[], text: string): string | undefined {
  for (const [key, value] of Object.entries((parseOverrides(text) ?? noOverrides).members)) {
    const declaration = declared.find((candidate) => candidate.key === key);
    if (!declaration) return `unknown override ${key}`;
    if (!allowedClasses[action].includes(declaration.class)) {
      return `override ${key} is ${declaration.class} and cannot be given with ${action}`;
    }
    const refusal = valueRefusal(declaration, value);
    if (refusal) return `override ${key} ${refusal}`;
  }
  return undefined;
}

function valueRefusal(declaration: OverrideDeclaration, value: JsonValue): string | undefined {
  switch (declaration.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "string":
      return typeof value === "string" ? closedSetRefusal(declaration, value) : "must be a string";
    case "number":
      return value instanceof NumberText ? rangeRefusal(declaration, value) : "must be a number";
    case "integer":
      if (!(value instanceof NumberText && isIntegerText(value.text))) return "must be an integer";
      return rangeRefusal(declaration, value);
  }
}

function closedSetRefusal({ allowed }: OverrideDeclaration, value: string): string | undefined {
  return allowed.length === 0 || allowed.includes(value) ? undefined : `must be one of ${allowed.join(", ")}`;
}

/** Bounds are compared as they are written, so that 0.1 is not below a minimum of 0.1. */
function rangeRefusal({ minimum, maximum }: OverrideDeclaration, { text }: NumberText): string | undefined {
  if (minimum !== undefined && compareNumberTexts(text, String(minimum)) < 0) return `must be at least ${minimum}`;
  if (maximum !== undefined && compareNumberTexts(text, String(maximum)) > 0) return `must be at most ${maximum}`;
  return undefined;
}
