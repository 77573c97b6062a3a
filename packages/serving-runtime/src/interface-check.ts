import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LoadError, PredictionError } from "./errors.ts";
import { linearPatterns } from "./linear-patterns.ts";
import { isRecord } from "./protocol/tensor.ts";

/** Holds what goes in and what comes out to the schemas of a version. */
export interface InterfaceCheck {
  /** @throws PredictionError invalid, naming the places */
  assertInput(value: unknown): void;
  /** @throws PredictionError output_mismatch, naming the places */
  assertOutput(value: unknown): void;
}

const maxProblems = 10;

/** Without schemas everything will do. @throws LoadError InvalidBundle for a schema that is none */
export function createInterfaceCheck(schemas: { input: string; output: string } | undefined): InterfaceCheck {
  const input = schemas && compileSchema("interface.input", schemas.input);
  const output = schemas && compileSchema("interface.output", schemas.output);
  return {
    assertInput(value) {
      const problems = input?.(value);
      if (problems) throw new PredictionError("invalid", `The input does not fit the interface: ${problems}`);
    },
    assertOutput(value) {
      const problems = output?.(value);
      if (problems) throw new PredictionError("output_mismatch", `The output does not fit the interface: ${problems}`);
    },
  };
}

/** Returns what is wrong with a value, by place; undefined when nothing is. @throws LoadError for a schema that is none */
function compileSchema(name: string, text: string): (value: unknown) => string | undefined {
  const validate = compiled(name, text);
  return (value) => {
    if (validate(value)) return undefined;
    const errors = validate.errors ?? [];
    const said = errors.slice(0, maxProblems).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
    const more = errors.length - said.length;
    return said.join("; ") + (more > 0 ? `; and ${more} more` : "");
  };
}

function compiled(name: string, text: string) {
  try {
    const schema: unknown = JSON.parse(text);
    if (!isRecord(schema) && typeof schema !== "boolean") throw new Error("is not a JSON Schema");
    const isOlder = isRecord(schema) && /draft-0[67]/.test(String(schema["$schema"]));
    // Formats are notes here: which of them hold, readers of the schema do not agree on. References stay calls, so that they
    // cannot multiply the schema's size.
    const notes = { strict: false, validateFormats: false, logger: false } as const;
    const options = { ...notes, allErrors: true, inlineRefs: false, code: { regExp: linearPatterns } };
    return (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(schema);
  } catch (error) {
    throw new LoadError("InvalidBundle", `${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
