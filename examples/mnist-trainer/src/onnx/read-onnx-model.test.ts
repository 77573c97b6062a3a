import { describe, expect, it } from "vitest";
import { initialParameters } from "../learning/network.ts";
import { Random } from "../learning/random.ts";
import { encodeOnnx } from "./onnx-model.ts";
import { decodeOnnx, ModelFileError } from "./read-onnx-model.ts";

const parameters = initialParameters(Random.seeded(3));
const bytes = encodeOnnx(parameters, {});

describe("a model that was written", () => {
  it("is read to the last bit", () => {
    expect(decodeOnnx(bytes)).toEqual(parameters);
  });

  it.each([
    ["text", new TextEncoder().encode("no model at all")],
    ["nothing", new Uint8Array()],
    ["a part of it", bytes.subarray(0, bytes.length / 2)],
  ])("is told from %s", (_, other) => {
    expect(() => decodeOnnx(other)).toThrow(ModelFileError);
  });
});
