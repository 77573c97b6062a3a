import { type FieldRules, field as fieldRulesExtension, Ignore } from "@aiplatform/contract/buf/validate/validate";
import { ContentSchema, DocumentSchema, RenderedBodySchema } from "@aiplatform/contract/transcoder/v1/json";
import { json } from "@aiplatform/contract/transcoder/v1/route";
import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { EmptySchema, FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { ContractError } from "../errors/contract-error.ts";

/** What the contract says about a field besides its type. */
export interface FieldTraits {
  /** Never read from or written to JSON. */
  readonly hidden: boolean;
  /** Must be present. */
  readonly required: boolean;
  /** May be null, which is the same as absent. */
  readonly nullable: boolean;
  /** JSON text of the value assumed when absent. */
  readonly default: string | undefined;
  /** Rules of its value, if they are to be checked. */
  readonly rules: FieldRules | undefined;
  /** A zero value is exempt from the rules. */
  readonly ignoreZero: boolean;
  /** `required` in the sense of buf.validate: a zero value without presence counts as absent. */
  readonly forbidsZero: boolean;
}

/** Reads a field's annotations. A field whose zero value its rules forbid is found required by the reader, not here. */
export function fieldTraits(field: DescField): FieldTraits {
  const rules = hasOption(field, fieldRulesExtension) ? getOption(field, fieldRulesExtension) : undefined;
  const refinement = hasOption(field, json) ? getOption(field, json) : undefined;
  const isOff = rules?.ignore === Ignore.ALWAYS;
  const mustBeSet = rules?.required === true && !isOff;
  const required = mustBeSet || refinement?.required === true;
  const initial = refinement?.default === "" ? undefined : refinement?.default;
  return {
    hidden: refinement?.hidden === true,
    required,
    nullable: !required && (initial === undefined ? hasPresence(field) : initial === "null"),
    default: initial,
    rules: isOff ? undefined : rules,
    ignoreZero: rules?.ignore === Ignore.IF_ZERO_VALUE,
    forbidsZero: mustBeSet && !hasPresence(field),
  };
}

/** The message itself knows whether the field is set. */
export function hasPresence(field: DescField): boolean {
  return (
    field.presence !== FeatureSet_FieldPresence.IMPLICIT && field.fieldKind !== "list" && field.fieldKind !== "map"
  );
}

/** Whether a reply's field is a document, which is written as it is. */
export function isDocument(responseBody: DescField | undefined): responseBody is DescField {
  return responseBody?.fieldKind === "message" && responseBody.message.typeName === DocumentSchema.typeName;
}

/** Whether a reply's field is bytes that are written as they are. */
export function isContent(responseBody: DescField | undefined): responseBody is DescField {
  return responseBody?.fieldKind === "message" && responseBody.message.typeName === ContentSchema.typeName;
}

/** Whether a reply's field is a body that its service has rendered. */
export function isRenderedBody(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === RenderedBodySchema.typeName;
}

/** Of the well-known types only those have a JSON form here that are read and written as what they hold. @throws ContractError */
export function assertJsonForm({ typeName }: DescMessage): void {
  if (!typeName.startsWith("google.protobuf.") || typeName === EmptySchema.typeName) return;
  throw new ContractError("unsupported_type", typeName, "has no JSON form here; use transcoder.v1.JsonValue");
}
