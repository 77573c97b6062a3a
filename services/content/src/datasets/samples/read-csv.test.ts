import { InvalidFieldsError } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { readCsv } from "./read-csv.ts";

const csv = (text: string | Uint8Array) => readCsv(typeof text === "string" ? Buffer.from(text) : text);
const columns = (text: string | Uint8Array) => csv(text).map(({ name, type }) => `${name}: ${type}`);

/** What is wrong with a file, as its sender is told. */
function problems(text: string | Uint8Array): string[] {
  try {
    csv(text);
  } catch (error) {
    if (!(error instanceof InvalidFieldsError)) throw error;
    for (const { field, reason } of error.violations) expect([field, reason]).toEqual(["sample", "SAMPLE_UNREADABLE"]);
    return error.violations.map(({ description }) => description);
  }
  return [];
}

const manyColumns = (count: number) => Array.from({ length: count }, (_, index) => `column ${index}`).join(",");

describe("the columns of a CSV file", () => {
  it.each([
    ["are named by its first line and typed by the others", "id,price\n1,2.5\n2,3\n", ["id: integer", "price: number"]],
    ["are text when there is a header only", "a,b\n", ["a: string", "b: string"]],
    ["are there without a line end too", "a,b", ["a: string", "b: string"]],
    ["are found behind a byte order mark", "\ufeffid\n1\n", ["id: integer"]],
    ["are found behind empty lines", "\n\r\nid,b\n1,x\n", ["id: integer", "b: string"]],
    ["may end their lines as on Windows", "a,b\r\n1,2\r\n", ["a: integer", "b: integer"]],
    ["may be separated by semicolons", "a;b;c,d\n1;2;3\n", ["a: integer", "b: integer", "c,d: integer"]],
    ["may be separated by tabs", "a\tb\n1\t2\n", ["a: integer", "b: integer"]],
    [
      "keep their quoted names exactly",
      '"a ""x""","b\nc", d \n1,2,3\n',
      ['a "x": integer', "b\nc: integer", " d : integer"],
    ],
    ["are not misled by a quoted line end", 'a,b\n"1\n2",3\n4,5\n', ["a: string", "b: integer"]],
    ["are not misled by quoted separators", '"a;b;c",d\n1,2\n', ["a;b;c: integer", "d: integer"]],
    ["take missing values for missing", "a,b\n1\n,2\n", ["a: integer", "b: integer"]],
    ["take empty values beyond the last for nothing", "a,b\n1,2,,\n", ["a: integer", "b: integer"]],
    ["may be called anything", "__proto__,constructor\n1,2\n", ["__proto__: integer", "constructor: integer"]],
    ["of one name differ by case", "a,A\n1,2\n", ["a: integer", "A: integer"]],
  ])("%s", (_, text, expected) => {
    expect(columns(text)).toEqual(expected);
  });

  it.each([
    ["a number", "a,b\n1,2\n3,12.", ["a: integer", "b: integer"]],
    ["a day", "a\n2026-01-01\n2026-0", ["a: date"]],
    ["a quoted value", 'a\n1\n"tex', ["a: integer"]],
    ["a line", "a,b\n1,2\n3", ["a: integer", "b: integer"]],
  ])("are not misled by a sample that ends within %s", (_, text, expected) => {
    expect(columns(text)).toEqual(expected);
  });

  it("are not misled by a sample that ends within a character", () => {
    expect(columns(Buffer.from("a\n1\nü").subarray(0, -1))).toEqual(["a: integer"]);
  });

  it("are guessed from a thousand rows", () => {
    const rows = Array.from({ length: 1_000 }, () => "1\n").join("");
    expect(columns(`a\n${rows}x\n`)).toEqual(["a: integer"]);
    expect(columns(`a\n${rows.slice(2)}x\n`)).toEqual(["a: string"]);
  });

  it("may be five thousand", () => {
    expect(columns(`${manyColumns(5_000)}\n`)).toHaveLength(5_000);
  });
});

describe("a file that cannot be read as CSV", () => {
  it.each([
    ["an empty one", "", ["There is no header"]],
    ["one of blank lines", "\n\r\n\n", ["There is no header"]],
    ["a repeated name", "a,b,a,a\n", ["Column 3 has the name of column 1", "Column 4 has the name of column 1"]],
    ["names that are not there", ",b, \n", ["Column 1 has no name", "Column 3 has no name"]],
    ["a name that is too long", `${"x".repeat(256)},b\n`, ["Column 1 has a name of more than 255 characters"]],
    ["too many columns", `${manyColumns(5_001)}\n`, ["There are 5001 columns; 5000 are the most"]],
    ["a line that is too long", "a,b\n1,2\n1,2,3\n", ["Line 3 has 3 values, and the header names 2"]],
    ["a quoted name without an end", '"a,b\n1,2\n', [expect.stringMatching(/^Line \d+: Quote Not Closed/)]],
    ["a line that has no end", "a".repeat(1024 * 1024 + 1), ["The first line is longer than 1048576 characters"]],
    ["UTF-16", Buffer.from("\ufeffa,b\n", "utf16le"), ["The file is not text in UTF-8"]],
    ["Latin-1", Buffer.from("größe\n", "latin1"), ["The file is not text in UTF-8"]],
    ["gzip", Buffer.from("1f8b0800", "hex"), ["The file is not text in UTF-8"]],
    ["NUL characters", "a\0b\n", ["The file is not text in UTF-8: it has NUL characters"]],
  ])("for %s says what is wrong", (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it("says in which line a quote is wrong", () => {
    expect(problems('a,b\n1,2\n3,"x"y\n')).toEqual([expect.stringMatching(/^Line 3: .*[Qq]uote/)]);
  });

  it("counts a name's characters, not their bytes", () => {
    expect(columns(`${"😀".repeat(255)}\n`)).toHaveLength(1);
  });

  it("is read in seconds, however it is made", () => {
    const megabytes = 4 * 1024 * 1024;
    const started = performance.now();
    for (const text of [",".repeat(megabytes), '"'.repeat(megabytes), "\n".repeat(megabytes), "a".repeat(megabytes)]) {
      expect(problems(text)).not.toEqual([]);
    }
    expect(columns(`a\n${"1\n".repeat(megabytes / 2)}`)).toEqual(["a: integer"]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
