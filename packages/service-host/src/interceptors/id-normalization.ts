import { type FieldRules, field as fieldRules } from "@aiplatform/contract/buf/validate/validate";
import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import { isReflectList, isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";
import { type RequestField, requestFieldsInterceptor } from "./request-fields.ts";

/**
 * Writes every id of a request in lower case, the form in which ids are stored. A field is an id where the contract says
 * `string.uuid`. Comes after the validation.
 */
export function idNormalizationInterceptor(): Interceptor {
  return requestFieldsInterceptor(isId, normalize);
}

function isId(field: DescField): boolean {
  if (!hasOption(field, fieldRules)) return false;
  const rules = getOption(field, fieldRules);
  return isUuid(rules) || (rules.type.case === "repeated" && isUuid(rules.type.value.items));
}

function isUuid(rules: FieldRules | undefined): boolean {
  return rules?.type.case === "string" && rules.type.value.wellKnown.case === "uuid";
}

function normalize(fields: readonly RequestField[], message: ReflectMessage): void {
  for (const { field, nested = [] } of fields) {
    if (!message.isSet(field)) continue;
    const value = message.get(field);
    if (typeof value === "string") message.set(field, value.toLowerCase());
    else if (isReflectMessage(value)) normalize(nested, value);
    else if (isReflectList(value)) {
      for (const [index, item] of [...value].entries()) {
        if (typeof item === "string") value.set(index, item.toLowerCase());
        else if (isReflectMessage(item)) normalize(nested, item);
      }
    }
  }
}
