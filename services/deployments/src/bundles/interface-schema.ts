import { linearPatterns, PatternError } from "@aiplatform/serving-runtime/linear-patterns";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Characters of a schema's JSON text at most. */
export const maxSchemaLength = 65_536;
const maxProblemLength = 300;

/**
 * What keeps a JSON text from being a JSON Schema (2020-12) that stands by itself; undefined when nothing does. A schema of the
 * longest kind can take seconds: to be called in a worker thread.
 */
export function schemaProblem(text: string): string | undefined {
  if (text.length > maxSchemaLength) return `the schema has more than ${maxSchemaLength} characters`;
  // One instance for one schema: what an earlier one called itself must not mean anything to a later one. References stay calls,
  // so that they cannot multiply the schema's size.
  const options = { strict: false, logger: false, validateFormats: false, inlineRefs: false } as const;
  const ajv = new Ajv2020({ ...options, code: { regExp: linearPatterns } });
  try {
    ajv.compile(JSON.parse(text === "" ? "{}" : text));
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    const reason = error instanceof Error ? error.message : String(error);
    return `the schema is not JSON Schema 2020-12: ${reason}`.slice(0, maxProblemLength);
  }
}
