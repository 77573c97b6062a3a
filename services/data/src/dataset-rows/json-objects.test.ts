import { describe, expect, it } from "vitest";
import { objectsOf } from "./json-objects.ts";

describe("the objects of a JSON array", () => {
  const rows: readonly (readonly [string, unknown[]])[] = [
    ["none", []],
    ["an empty one", [{}]],
    ["plain ones", [{ a: 1 }, { a: null }]],
    ["one with objects and lists in it", [{ a: { b: [{ c: 1 }, {}] } }, { d: [] }]],
    ["one whose texts have braces, quotes and backslashes", [{ 'a"{': '}\\"{' }, { b: "\\" }, { c: "é}" }]],
  ];

  it.each(rows)("are the texts that stand in it: %s", (_, objects) => {
    const texts = objects.map((each) => JSON.stringify(each));
    expect(objectsOf(Buffer.from(`[${texts.join(",")}]`))).toEqual(texts);
    expect(objectsOf(Buffer.from(`[\n ${texts.join(" ,\n")} ]`))).toEqual(texts);
  });
});
