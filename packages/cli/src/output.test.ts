import { describe, expect, it } from "vitest";
import { outputFormats, writerOf } from "./output.ts";

const list = [
  { id: 1, name: "one", tags: ["a"] },
  { id: 22, name: null },
];
const one = { id: 1, note: "two\nlines\u001b[31m", none: null };

describe("answers as text", () => {
  it.each([
    ["table", "a list", list, 'id  name  tags\n1   one   ["a"]\n22\n'],
    ["table", "one", one, "id    1\nnote  two lines [31m\n"],
    ["json", "one", { a: 1 }, '{\n  "a": 1\n}\n'],
    ["jsonl", "a list", list, '{"id":1,"name":"one","tags":["a"]}\n{"id":22,"name":null}\n'],
    ["yaml", "a list", list, "- id: 1\n  name: one\n  tags:\n    - a\n- id: 22\n  name: null\n"],
  ] as const)("as %s: %s", async (format, _, value, text) => {
    expect((await writerOf(format))(value)).toBe(text);
  });

  it("as a table are no wider than the terminal, where they were 281 to 428 characters", async () => {
    const uuid = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
    const record = {
      id: uuid,
      name: "Sales and more",
      status: "Running",
      note: "x".repeat(50),
      annotations: { a: 1 },
      end: 1,
    };
    const linesOf = async (columns: number) =>
      (await writerOf("table", { columns }))([record, { ...record, name: "b" }])
        .trimEnd()
        .split("\n");
    const wide = await linesOf(80);
    expect(wide.every(({ length }) => length <= 80)).toBe(true);
    expect(wide[1]).toBe(`${uuid}  Sales a…  Running  xxxxxxx…  {"a":1}   1`);
    const narrow = await linesOf(60);
    expect(narrow.slice(0, -1).every(({ length }) => length <= 60)).toBe(true);
    expect(narrow.at(-1)).toBe("not shown here: note, annotations, end (--output json shows all)");
    expect((await writerOf("table"))([record])).toContain("x".repeat(50));
  });

  it("have a title that stands out where colours are shown, and nowhere else", async () => {
    expect((await writerOf("table", { coloured: true }))([{ id: 1 }])).toBe("\u001b[1mid\u001b[22m\n1\n");
    for (const format of outputFormats) expect((await writerOf(format))([{ id: 1 }])).not.toContain("\u001b");
  });
});
