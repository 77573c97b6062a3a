import { describe, expect, it } from "vitest";
import { UnfitRowsError } from "./embedding.ts";
import { inferenceRequest, vectorsOf } from "./inference.ts";

const names = { input: "texts", output: "vectors" };
const answer = (value: unknown) => Buffer.from(JSON.stringify(value));
const tensor = (shape: unknown, data: unknown) =>
  answer({ outputs: [{ name: "vectors", datatype: "FP32", shape, data }] });

describe("a request for vectors", () => {
  it("sends texts as one tensor of BYTES", () => {
    expect(JSON.parse(Buffer.from(inferenceRequest(names, ["a", "b"])).toString())).toEqual({
      inputs: [{ name: "texts", datatype: "BYTES", shape: [2], data: ["a", "b"] }],
      outputs: [{ name: "vectors" }],
    });
  });

  it("sends lists of numbers as one tensor of FP32", () => {
    const request = inferenceRequest(names, [
      [1, 2],
      [3, 4],
    ]);
    const { inputs } = JSON.parse(Buffer.from(request).toString());
    expect(inputs).toEqual([{ name: "texts", datatype: "FP32", shape: [2, 2], data: [1, 2, 3, 4] }]);
  });

  it("is refused where lists have different lengths", () => {
    expect(() => inferenceRequest(names, [[1, 2], [3]])).toThrow(UnfitRowsError);
  });
});

describe("an answer with vectors", () => {
  it.each([
    ["flat", [1, 2, 3, 4]],
    [
      "nested",
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])("is read where its data is %s", (_, data) => {
    const { dimensions, vectors } = vectorsOf(names, tensor([2, 2], data), 2);
    expect([dimensions, vectors.map((each) => [...each])]).toEqual([
      2,
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });

  const unfit: readonly (readonly [why: string, body: Uint8Array, words: RegExp])[] = [
    ["is no JSON", Buffer.from("x"), /did not answer JSON/],
    ["has no tensors", answer({ output: 1 }), /has no output "vectors"$/],
    ["has other tensors", answer({ outputs: [{ name: "scores" }] }), /it answered scores/],
    ["has too few rows", tensor([1, 2], [1, 2]), /answered 1 rows to 2 inputs/],
    ["has a number for each row", tensor([2], [1, 2]), /numbers instead of vectors/],
    ["has empty vectors", tensor([2, 0], []), /numbers instead of vectors/],
    ["has too long vectors", tensor([2, 4_097], []), /4096 is the most/],
    ["has less than its shape says", tensor([2, 2], [1, 2, 3]), /not as many as its shape says/],
    ["has what is no number", tensor([2, 1], [1, "NaN"]), /no numbers/],
    ["has what 32 bits do not hold", tensor([2, 1], [1, 1e300]), /32 bits/],
  ];
  it.each(unfit)("is refused where it %s", (_, body, words) => {
    expect(() => vectorsOf(names, body, 2)).toThrow(words);
  });
});
