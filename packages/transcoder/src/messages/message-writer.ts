import { JsonDocumentSchema, JsonObjectSchema, JsonValueSchema } from "@aiplatform/contract/transcoder/v1/json";
import { type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { JsonOutput } from "../json/output.ts";
import { enumNames } from "../scalars/enum-names.ts";
import { assertJsonForm, fieldTraits, hasPresence } from "./field-traits.ts";

/** Writes one value as JSON. */
export type WriteValue = (value: unknown, output: JsonOutput) => void;

type Fields = Record<string, unknown>;

const instantFormat = (seconds: bigint, nanos: number) =>
  new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6)).toISOString();

/** Writers of messages that have a JSON form of their own. */
const special = new Map<string, WriteValue>([
  [TimestampSchema.typeName, (value, output) => output.text(`"${writeInstant(value as Fields)}"`)],
  [JsonObjectSchema.typeName, (value, output) => output.text(String((value as Fields)["text"] || "{}"))],
  [JsonValueSchema.typeName, (value, output) => output.text(String((value as Fields)["text"] || "null"))],
  [JsonDocumentSchema.typeName, (value, output) => output.bytes((value as Fields)["utf8"] as Uint8Array)],
]);

function writeInstant(fields: Fields): string {
  return instantFormat(BigInt(String(fields["seconds"])), Number(fields["nanos"]));
}

/** Compiles writers; each message type once, also when it contains itself. */
export class WriterCompiler {
  readonly #messages = new Map<string, WriteValue>();

  /** Writer of a message: every field, in the order of declaration, null where there is no value. */
  message(desc: DescMessage): WriteValue {
    const known = special.get(desc.typeName) ?? this.#messages.get(desc.typeName);
    if (known !== undefined) return known;
    assertJsonForm(desc);
    let fields: ((message: Fields, output: JsonOutput) => void)[] = [];
    const write: WriteValue = (value, output) => {
      // A value of a message field is a message; its fields are found by the descriptor's local names.
      const message = value as Fields;
      output.text("{");
      for (const field of fields) field(message, output);
      output.text("}");
    };
    this.#messages.set(desc.typeName, write);
    const shown = desc.fields.filter((field) => !fieldTraits(field).hidden);
    fields = shown.map((field, index) =>
      this.#member(field, `${index === 0 ? "" : ","}${JSON.stringify(field.name)}:`),
    );
    return write;
  }

  /** Writer of the value of a field that is the whole body. */
  field(field: DescField): (message: Message, output: JsonOutput) => void {
    const write = this.#member(field, "");
    return (message, output) => write(message as unknown as Fields, output);
  }

  #member(field: DescField, name: string): (message: Fields, output: JsonOutput) => void {
    const write = this.#value(field);
    const { localName } = field;
    const absent = `${name}${fieldTraits(field).default ?? "null"}`;
    const oneof = "oneof" in field ? field.oneof : undefined;
    if (oneof !== undefined) {
      return (message, output) => {
        const chosen = message[oneof.localName] as { case?: string; value?: unknown } | undefined;
        if (chosen?.case !== localName) return output.text(absent);
        output.text(name);
        return write(chosen.value, output);
      };
    }
    const mayBeAbsent = hasPresence(field);
    return (message, output) => {
      const value = message[localName];
      // Of a field with a default on the prototype only an own value is one.
      if (value === undefined || (mayBeAbsent && !Object.hasOwn(message, localName))) return output.text(absent);
      output.text(name);
      return write(value, output);
    };
  }

  #value(field: DescField): WriteValue {
    if (field.fieldKind === "list") return listWriter(this.#element(field.listKind, field));
    if (field.fieldKind === "map") return dictionaryWriter(this.#element(field.mapKind, field));
    return this.#element(field.fieldKind, field);
  }

  #element(kind: "scalar" | "enum" | "message", field: DescField): WriteValue {
    if (kind === "message" && field.message !== undefined) return this.message(field.message);
    if (kind === "enum" && field.enum !== undefined) return enumWriter(field.enum);
    return scalarWriter(field.scalar ?? ScalarType.STRING);
  }
}

function listWriter(item: WriteValue): WriteValue {
  return (value, output) => {
    output.text("[");
    let separator = "";
    for (const one of value as unknown[]) {
      output.text(separator);
      item(one, output);
      separator = ",";
    }
    output.text("]");
  };
}

function dictionaryWriter(entry: WriteValue): WriteValue {
  return (value, output) => {
    output.text("{");
    let separator = "";
    for (const [key, one] of Object.entries(value as Fields)) {
      output.text(`${separator}${JSON.stringify(key)}:`);
      entry(one, output);
      separator = ",";
    }
    output.text("}");
  };
}

function enumWriter(desc: DescEnum): WriteValue {
  const { byNumber } = enumNames(desc);
  const texts = new Map([...byNumber].map(([number, name]) => [number, `"${name}"`]));
  return (value, output) => output.text(texts.get(Number(value)) ?? "null");
}

function scalarWriter(scalar: ScalarType): WriteValue {
  if (scalar === ScalarType.STRING) return (value, output) => output.text(JSON.stringify(value));
  if (scalar === ScalarType.BYTES) {
    return (value, output) => output.text(`"${Buffer.from(value as Uint8Array).toString("base64")}"`);
  }
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) {
    return (value, output) => output.text(floatText(Number(value)));
  }
  return (value, output) => output.text(`${value}`);
}

/** JSON has no NaN and no infinity; protobuf's own JSON form writes them as texts, too. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? "-0" : `${value}`;
}
