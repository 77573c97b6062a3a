import { describe, expect, it } from "vitest";
import { guessType, typeOfValue } from "./guess-type.ts";

describe("a value", () => {
  it.each([
    ["true", "boolean"],
    ["No", "boolean"],
    ["1", "integer"],
    ["0", "integer"],
    ["-12", "integer"],
    ["+12", "integer"],
    [" 12 ", "integer"],
    ["9223372036854775807", "integer"],
    ["-9223372036854775808", "integer"],
    ["9223372036854775808", "string"],
    ["123456789012345678901234567890", "string"],
    ["01234", "string"],
    ["-0", "integer"],
    ["1.5", "number"],
    [".5", "number"],
    ["5.", "number"],
    ["1e3", "number"],
    ["-1.5E-10", "number"],
    ["1e9999", "string"],
    ["01.5", "string"],
    ["1,5", "string"],
    ["1 000", "string"],
    ["0x10", "string"],
    ["Infinity", "string"],
    ["2026-02-28", "date"],
    ["2024-02-29", "date"],
    ["2026-02-29", "string"],
    ["2026-13-01", "string"],
    ["2026-2-1", "string"],
    ["28.02.2026", "string"],
    ["2026-02-28T12:30:00Z", "date_time"],
    ["2026-02-28 12:30", "date_time"],
    ["2026-02-28T12:30:00.123456+01:00", "date_time"],
    ["2026-02-28T12:30:60Z", "date_time"],
    ["2026-02-28T24:30:00Z", "string"],
    ["2026-02-29T12:30:00Z", "string"],
    ["12:30", "string"],
    ["text", "string"],
    ["", undefined],
    ["   ", undefined],
    ["NA", undefined],
    ["null", undefined],
    ["NaN", undefined],
    ["none of it", "string"],
  ])("%j is %s", (value, type) => {
    expect(typeOfValue(value)).toBe(type);
  });
});

describe("a column", () => {
  it.each([
    ["whole numbers", ["1", "", "2"], "integer"],
    ["whole and other numbers", ["1", "2.5", "3"], "number"],
    ["days and points in time", ["2026-01-01", "2026-01-01T00:00:00Z"], "date_time"],
    ["yes, no and one", ["yes", "no", "1"], "string"],
    ["numbers and a word", ["1", "2", "many"], "string"],
    ["a number and a day", ["2026", "2026-01-01"], "string"],
    ["nothing that is there", ["", "NA"], "string"],
    ["nothing at all", [], "string"],
  ])("of %s", (_, values, type) => {
    expect(guessType(values)).toBe(type);
  });
});
