import { JsonObjectSchema, JsonValueSchema } from "@aiplatform/contract/transcoder/v1/json";
import { json } from "@aiplatform/contract/transcoder/v1/route";
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { ContractError } from "../errors/contract-error.ts";
import { enumNames } from "../scalars/enum-names.ts";
import { fieldTraits } from "./field-traits.ts";
import { mergeSchemas, type Schema } from "./schema-checks.ts";

/** What a field of free-form JSON may hold, by the value of its `type`. */
export interface Variants {
  /** The message that says the same. */
  readonly message: DescMessage;
  readonly byType: ReadonlyMap<string, DescMessage>;
}

/** Comment of a message or field, as keywords. */
export type Commented = (name: string) => Schema;

/** The variants of a JSON object, if the contract has some. Throws {@link ContractError} where the field that it names has none. */
export function variantsOf(field: DescField): Variants | undefined {
  const { variants: name } = getOption(field, json);
  if (name === "") return undefined;
  const message = field.parent.fields.find((sibling) => sibling.name === name)?.message;
  const members = message?.oneofs[0]?.fields ?? [];
  const byType = new Map(members.flatMap((member) => (member.message ? [[member.name, member.message] as const] : [])));
  if (message === undefined || byType.size === 0)
    throw new ContractError("bad_rule", field.toString(), `${name} is not a message with a oneof of messages`);
  return { message, byType };
}

/** Schema of the objects of one type. */
export function variantSchema(type: string, message: DescMessage, commented: Commented = () => ({})): Schema {
  const { properties, required, ...rest } = objectSchema(message, commented);
  const discriminator = { type: { type: "string", enum: [type] } };
  return { ...rest, properties: { ...discriminator, ...(properties as object) }, required: ["type", ...required] };
}

function objectSchema(message: DescMessage, commented: Commented): Schema & { required: string[] } {
  const fields = message.fields.filter((field) => !fieldTraits(field).hidden);
  const properties = fields.map((field) => [field.name, fieldSchema(field, commented)] as const);
  const required = fields.filter((field) => fieldTraits(field).required).map(({ name }) => name);
  return {
    type: "object",
    ...commented(message.typeName),
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: true,
  };
}

function fieldSchema(field: DescField, commented: Commented): Schema {
  const { schema } = getOption(field, json);
  const { anyOf, ...more }: Schema = schema === "" ? {} : JSON.parse(schema);
  const item = valueSchema(field, commented);
  const own = field.fieldKind === "list" ? { type: "array", items: item } : item;
  const [first, ...others] = (anyOf ?? []) as Schema[];
  const whole = first === undefined ? mergeSchemas(own, more) : { anyOf: [mergeSchemas(own, first), ...others] };
  return { ...whole, ...commented(`${field.parent.typeName}.${field.name}`) };
}

function valueSchema(field: DescField, commented: Commented): Schema {
  if (field.enum) return { type: "string", enum: [...enumNames(field.enum).byName.keys()] };
  if (field.message?.typeName === JsonValueSchema.typeName) return {};
  if (field.message?.typeName === JsonObjectSchema.typeName) return { type: "object", additionalProperties: true };
  if (field.message) return objectSchema(field.message, commented);
  if (field.scalar === ScalarType.STRING) return { type: "string" };
  return { type: field.scalar === ScalarType.BOOL ? "boolean" : "integer" };
}
