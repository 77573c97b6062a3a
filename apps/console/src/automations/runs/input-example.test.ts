import { describe, expect, it } from "vitest";
import { inputExample, readInput } from "./input-example.ts";

describe("the input of a run", () => {
  it.each([
    [["steps.a.output.text", "event.run_id"], {}],
    [["input.count", "input.week"], { count: "", week: "" }],
    [["input.order.id", "input.order.total", "input.items[0]"], { order: "", items: "" }],
    [["input"], {}],
  ])("begins with a member for each variable: %j", (variables, example) => {
    expect(inputExample(variables)).toEqual(example);
  });

  it.each([
    ["", {}],
    ['{"week": 8}', { week: 8 }],
    ["[1]", undefined],
    ["null", undefined],
    ["{", undefined],
  ])("is a JSON object: %s", (text, input) => {
    expect(readInput(text)).toEqual(input);
  });
});
