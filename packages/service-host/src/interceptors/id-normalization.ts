import { type FieldRules, field as fieldRules } from "@aiplatform/contract/buf/validate/validate";
import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { isReflectList, isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";

/** A field that is an id, holds ids, or leads to messages that do. */
interface IdField {
  readonly field: DescField;
  /** Of the messages it holds; absent where it is an id itself. */
  readonly nested?: readonly IdField[];
}

const plans = new Map<DescMessage, readonly IdField[]>();

/**
 * Writes every id of a request in lower case, the form in which ids are stored. A field is an id where the contract says
 * `string.uuid`. Comes after the validation.
 */
export function idNormalizationInterceptor(): Interceptor {
  return (next) => (request) => {
    const plan = planOf(request.method.input);
    if (plan.length === 0) return next(request);
    if (!request.stream) {
      normalize(plan, reflect(request.method.input, request.message));
      return next(request);
    }
    return next({ ...request, message: normalizeEach(plan, request.method.input, request.message) });
  };
}

async function* normalizeEach(plan: readonly IdField[], desc: DescMessage, messages: AsyncIterable<Message>) {
  for await (const message of messages) {
    normalize(plan, reflect(desc, message));
    yield message;
  }
}

function planOf(desc: DescMessage): readonly IdField[] {
  const known = plans.get(desc);
  if (known) return known;
  const plan: IdField[] = [];
  // Before its fields are looked at: a message may hold itself.
  plans.set(desc, plan);
  for (const field of desc.fields) {
    if (isId(field)) plan.push({ field });
    else if (field.message) {
      const nested = planOf(field.message);
      if (nested.length > 0) plan.push({ field, nested });
    }
  }
  return plan;
}

function isId(field: DescField): boolean {
  if (!hasOption(field, fieldRules)) return false;
  const rules = getOption(field, fieldRules);
  return isUuid(rules) || (rules.type.case === "repeated" && isUuid(rules.type.value.items));
}

function isUuid(rules: FieldRules | undefined): boolean {
  return rules?.type.case === "string" && rules.type.value.wellKnown.case === "uuid";
}

function normalize(plan: readonly IdField[], message: ReflectMessage): void {
  for (const { field, nested = [] } of plan) {
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
