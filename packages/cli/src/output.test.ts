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

  it("have a title that stands out where colours are shown, and nowhere else", async () => {
    expect((await writerOf("table", { coloured: true }))([{ id: 1 }])).toBe("\u001b[1mid\u001b[22m\n1\n");
    for (const format of outputFormats) expect((await writerOf(format))([{ id: 1 }])).not.toContain("\u001b");
  });
});
