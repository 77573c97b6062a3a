import type { ListDeclaration, ListField } from "@aiplatform/transcoder";
import { fieldAt } from "./check-filter.ts";
import { FilterReader } from "./filter-text.ts";
import { ListFault } from "./list-fault.ts";

/** An order by one field. */
export interface ListOrder {
  field: ListField;
  /** Of a map: the key behind the path; empty elsewhere. */
  key: string;
  isDescending: boolean;
}

/** Characters of an order at most. */
export const maxOrderLength = 300;

/** The order that a text asks for; undefined for a text without anything. @throws ListFault */
export function parseOrder(text: string, list: ListDeclaration): ListOrder | undefined {
  if (text.length > maxOrderLength)
    throw new ListFault(maxOrderLength, `the order has more than ${maxOrderLength} characters`);
  const reader = new FilterReader(text);
  if (reader.isAtEnd) return undefined;
  const path = reader.path();
  if (path === undefined) throw new ListFault(reader.offset, `expected a field, found ${reader.found()}`);
  const { field, key } = fieldAt(
    path,
    list.fields.filter(({ isSortable }) => isSortable),
  );
  const isDescending = reader.takesWord("desc");
  if (!isDescending) reader.takesWord("asc");
  if (!reader.isAtEnd) {
    throw new ListFault(
      reader.offset,
      `expected asc, desc or the end, found ${reader.found()}: a list is ordered by one field`,
    );
  }
  return { field, key, isDescending };
}
