import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";

/** A field of some kind, or one that leads to messages with such fields. */
export interface RequestField {
  readonly field: DescField;
  /** Of the messages it holds; absent where it is of the kind itself. */
  readonly nested?: readonly RequestField[];
}

/** Visits each message of a request that has fields of a kind. A message type is looked through once per process. */
export function requestFieldsInterceptor(
  isWanted: (field: DescField) => boolean,
  visit: (fields: readonly RequestField[], message: ReflectMessage) => void,
): Interceptor {
  const known = new Map<DescMessage, readonly RequestField[]>();
  return (next) => (request) => {
    const { input } = request.method;
    const fields = fieldsOf(input, isWanted, known);
    if (fields.length === 0) return next(request);
    if (request.stream) return next({ ...request, message: visitEach(request.message) });
    visit(fields, reflect(input, request.message));
    return next(request);

    async function* visitEach(messages: AsyncIterable<Message>) {
      for await (const message of messages) {
        visit(fields, reflect(input, message));
        yield message;
      }
    }
  };
}

function fieldsOf(
  desc: DescMessage,
  isWanted: (field: DescField) => boolean,
  known: Map<DescMessage, readonly RequestField[]>,
): readonly RequestField[] {
  const before = known.get(desc);
  if (before) return before;
  const found: RequestField[] = [];
  // Before its fields are looked at: a message may hold itself.
  known.set(desc, found);
  for (const field of desc.fields) {
    if (isWanted(field)) found.push({ field });
    else if (field.message) {
      const nested = fieldsOf(field.message, isWanted, known);
      if (nested.length > 0) found.push({ field, nested });
    }
  }
  return found;
}
