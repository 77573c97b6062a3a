import { create, type DescField, type DescMessage, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Problem, ProblemList } from "../src/errors/problem-list.ts";
import { JsonOutput } from "../src/json/output.ts";
import { scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";
import { WriterCompiler } from "../src/messages/message-writer.ts";
import { SchemaBook } from "../src/openapi/schema.ts";
import { enumNames } from "../src/scalars/enum-names.ts";

/** What each of those who know the contract makes of a JSON text. */
export interface Judges {
  /** The reader: a message, or what is wrong; `refused`: in a way that its service is not even asked. */
  read(json: string): { message: Message; problems: readonly Problem[]; refused: boolean };
  write(message: Message): string;
  /** The emitted JSON Schema of what is read, and of what is written. */
  fitsInput(json: string): boolean;
  fitsOutput(json: string): boolean;
  /** protovalidate. Undefined when the text is no such message at all, whatever its rules. */
  isValid(json: string): boolean | undefined;
  holds(message: Message): boolean;
}

const validator = createValidator();

export function judgesOf(desc: DescMessage): Judges {
  const reader = new ReaderCompiler().message(desc);
  const writer = new WriterCompiler().message(desc);
  const schemas = { input: compileSchema(desc, "input"), output: compileSchema(desc, "output") };
  const holds = (message: Message) => validator.validate(desc, message).kind === "valid";
  return {
    read(json) {
      scanJson(json);
      const problems = new ProblemList();
      const message = reader(JsonView.of(json), problems);
      // What is refused has no message; an empty one stands for it.
      const { entries, refuses: refused } = problems;
      return { message: (message as Message | undefined) ?? create(desc), problems: entries, refused };
    },
    write(message) {
      const output = new JsonOutput();
      writer(message, output);
      return output.finish().toString();
    },
    fitsInput: (json) => schemas.input(JSON.parse(json)),
    fitsOutput: (json) => schemas.output(JSON.parse(json)),
    holds,
    isValid(json) {
      try {
        return holds(fromJson(desc, protoJson(desc, JSON.parse(json))));
      } catch {
        return undefined;
      }
    },
  };
}

function compileSchema(desc: DescMessage, direction: "input" | "output"): (value: unknown) => boolean {
  const book = new SchemaBook();
  const reference = book.message(desc, direction);
  const { schemas, resolve } = book.finish();
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat("email", true);
  ajv.addFormat("date-time", (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)));
  return ajv.compile<unknown>({ ...(resolve(reference) as object), components: { schemas } });
}

/** The same in protobuf's own JSON form, without a look at any rule. Throws where an enum has no such name. */
function protoJson(desc: DescMessage, value: JsonValue): JsonValue {
  if (
    /^transcoder\.v1\.Json(?:Object|Document)$/.test(desc.typeName) &&
    (typeof value !== "object" || value === null || Array.isArray(value))
  ) {
    throw new TypeError("not an object");
  }
  if (desc.typeName === "transcoder.v1.JsonDocument")
    return { utf8: Buffer.from(JSON.stringify(value)).toString("base64") };
  if (/^transcoder\.v1\.Json(?:Object|Value)$/.test(desc.typeName)) return { text: JSON.stringify(value) };
  if (
    desc.typeName.startsWith("google.protobuf.") ||
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value)
  )
    return value;
  const members = desc.fields.flatMap((field) => {
    const member = value[field.name];
    return member === undefined ? [] : [[field.name, fieldJson(field, member)]];
  });
  return Object.fromEntries(members);
}

function fieldJson(field: DescField, value: JsonValue): JsonValue {
  if (field.fieldKind === "list" && Array.isArray(value)) return value.map((item) => elementJson(field, item));
  if (field.fieldKind === "map" && typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, elementJson(field, entry)]));
  }
  return field.fieldKind === "list" || field.fieldKind === "map" ? value : elementJson(field, value);
}

function elementJson({ message, enum: choices }: DescField, value: JsonValue): JsonValue {
  if (value === null) return value;
  if (message !== undefined) return protoJson(message, value);
  if (choices === undefined) return value;
  const number = enumNames(choices).byName.get(String(value));
  if (number === undefined || typeof value !== "string") throw new TypeError(`${String(value)} is no ${choices.name}`);
  return number;
}
