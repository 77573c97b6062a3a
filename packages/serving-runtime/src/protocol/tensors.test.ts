import { describe, expect, it } from "vitest";
import { type Datatype, datatypes } from "./datatypes.ts";
import { bytesOfTensor, tensorFromBytes } from "./raw-tensors.ts";
import { tensorFromJson, tensorToJson } from "./tensor.ts";

/** What each datatype holds at its ends, as JSON says it, and what it does not. */
const cases: [Datatype, unknown[], unknown[]][] = [
  ["BOOL", [true, false], [1, "true", null]],
  ["UINT8", [0, 255], [-1, 256, 0.5, "1"]],
  ["UINT16", [0, 65_535], [65_536]],
  ["UINT32", [0, 4_294_967_295], [4_294_967_296]],
  ["UINT64", [0, "18446744073709551615"], [-1, "18446744073709551616", 2 ** 60, "x"]],
  ["INT8", [-128, 127], [-129, 128]],
  ["INT16", [-32_768, 32_767], [32_768]],
  ["INT32", [-2_147_483_648, 2_147_483_647], [2_147_483_648]],
  ["INT64", [-9_007_199_254_740_991, "-9223372036854775808"], ["9223372036854775808", 0.5]],
  ["FP16", [0.5, -65_504, "NaN"], ["0.5", null]],
  ["FP32", [0.5, "Infinity", "-Infinity"], ["x", {}]],
  ["FP64", [0.1, 5e-324, "NaN"], [true]],
  ["BYTES", ["", "Grüße 🙂"], [1, null]],
];

describe.each(cases)("a tensor of %s", (datatype, good, bad) => {
  const tensor = (data: unknown[], shape = [data.length]) => ({ name: "t", datatype, shape, data });

  it("comes out of JSON and out of bytes as it went in", () => {
    const read = tensorFromJson("inputs[0]", tensor(good));
    expect(tensorToJson(read)).toEqual(tensor(good));
    const bytes = bytesOfTensor(read);
    const raw = tensorFromBytes("inputs[0]", { name: "t", datatype, shape: [good.length] }, bytes);
    expect(tensorToJson(raw)).toEqual(tensor(good));
  });

  it.each(bad.map((value) => [value]))("does not hold %j", (value) => {
    expect(() => tensorFromJson("inputs[0]", tensor([value]))).toThrow(/inputs\[0\]\.data/);
  });

  it("is as long as its shape says, in bytes, too", () => {
    expect(() => tensorFromJson("inputs[0]", tensor(good, [good.length + 1]))).toThrow(/elements/);
    const bytes = bytesOfTensor(tensorFromJson("inputs[0]", tensor(good)));
    const head = { name: "t", datatype, shape: [good.length] };
    expect(() => tensorFromBytes("inputs[0]", head, bytes.subarray(0, bytes.length - 1))).toThrow(/inputs\[0\]/);
  });
});

describe("datatypes", () => {
  it("are all tried here", () => {
    expect(cases.map(([name]) => name).sort()).toEqual(Object.keys(datatypes).sort());
  });
});

describe("a tensor's shape", () => {
  it.each([[[-1]], [[1.5]], ["1"], [Array(65).fill(1)], [undefined]])("is not %j", (shape) => {
    expect(() => tensorFromJson("inputs[0]", { name: "t", datatype: "FP32", shape, data: [] })).toThrow(
      /shape must be/,
    );
  });

  it("may be that of nothing, and of one", () => {
    expect(tensorFromJson("i", { name: "t", datatype: "FP32", shape: [0, 5], data: [] }).data).toHaveLength(0);
    expect(tensorFromJson("i", { name: "t", datatype: "FP32", shape: [], data: [1] }).data).toHaveLength(1);
  });
});
