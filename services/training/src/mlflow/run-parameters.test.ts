import { describe, expect, it } from "vitest";
import { textsOf } from "./flat-object.ts";
import { withParameters } from "./run-parameters.ts";

describe("parameters that are logged", () => {
  it.each([
    ["1e-05", "1e-05"],
    ["0.10", "0.10"],
    ["-7", "-7"],
    ["12345678901234567890", "12345678901234567890"],
    ["True", '"True"'],
    ["007", '"007"'],
    ["nan", '"nan"'],
    ["", '""'],
    ['say "hi"', '"say \\"hi\\""'],
  ])("are numbers where they are, and come back as they were logged: %j", (value, json) => {
    const stored = withParameters("{}", [{ key: "p", value }]);
    expect(stored).toBe(`{"p":${json}}`);
    expect([...textsOf(stored)]).toEqual([["p", value]]);
  });

  it("stand beside what the run was started with, whose numbers keep their digits", () => {
    const known = '{"seed":12345678901234567890,"data":{"name":"digits","sizes":[1,2]}}';
    const stored = withParameters(known, [
      { key: "lr", value: "0.1" },
      { key: "__proto__", value: "x" },
    ]);
    expect(Object.fromEntries(textsOf(stored))).toEqual({
      seed: "12345678901234567890",
      "data.name": "digits",
      "data.sizes": "[1,2]",
      lr: "0.1",
      ["__proto__"]: "x",
    });
  });

  it("change nothing where the run has them", () => {
    const known = '{ "lr" : 0.1 }';
    expect(withParameters(known, [{ key: "lr", value: "0.1" }])).toBe(known);
  });

  it.each([
    ["the run has", '{"lr":0.1}', [{ key: "lr", value: "0.2" }]],
    [
      "the same batch has",
      "{}",
      [
        { key: "lr", value: "1" },
        { key: "lr", value: "2" },
      ],
    ],
  ])("are refused with another value than %s", (_, known, logged) => {
    expect(() => withParameters(known, logged)).toThrow("parameters keep theirs");
  });
});
