import type { DescField, Message } from "@bufbuild/protobuf";

/** Id of a server-sent event. `path`: the fields that lead to it. */
export function eventIdOf(message: Message, path: readonly DescField[]): string {
  // Walks by local names, which the generic message type does not show.
  let value: unknown = message;
  for (const { localName } of path) value = (value as Record<string, unknown> | undefined)?.[localName];
  return String(value ?? "").replace(/[\r\n\0]/g, "");
}
