import type { ListField } from "@aiplatform/transcoder";
import type { FilterText } from "./filter-text.ts";
import { ListFault } from "./list-fault.ts";

const numberPattern = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const timePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** The value as the field has it. @throws ListFault */
export function readValue(text: FilterText, field: ListField): string | number | boolean | Date {
  switch (field.type) {
    case "text":
    case "id":
      return text.text;
    case "number":
      return orFault(numberOf(text.text), text, field, "a number, such as 0.01");
    case "boolean":
      return orFault(booleanOf(text.text), text, field, "true or false");
    case "enum":
      return orFault(
        field.values.find((value) => value === text.text),
        text,
        field,
        `one of ${field.values.join(", ")}`,
      );
    case "timestamp":
      return orFault(timeOf(text.text), text, field, "a time with its zone, such as 2026-03-02T09:00:00Z");
    case "scalar":
      return text.isQuoted ? text.text : (numberOf(text.text) ?? booleanOf(text.text) ?? text.text);
  }
}

function orFault<T>(value: T | undefined, { offset }: FilterText, { path }: ListField, expected: string): T {
  if (value !== undefined) return value;
  throw new ListFault(offset, `${path} is compared with ${expected}`);
}

function numberOf(text: string): number | undefined {
  const value = numberPattern.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function booleanOf(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

function timeOf(text: string): Date | undefined {
  const day = timePattern.exec(text)?.[1];
  if (day === undefined) return undefined;
  // Some days that are in no calendar, such as 31 February, would be read as days of the next month.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
