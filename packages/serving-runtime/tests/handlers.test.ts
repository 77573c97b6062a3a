import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RuntimeProcess, startHandler, startRuntime } from "./runtime-process.ts";
import { digitOf, type TrainedModel, trainModel } from "./trained-model.ts";

/** Takes rows of grey values from 0 to 255, as images have them, and names the digit. */
const digits = `
export default async (input, { models, parameters, datasets, log }) => {
  if (input.inputs) return { outputs: input.inputs.map((tensor) => ({ ...tensor, name: "same " + tensor.name })) };
  if (input.about) return { parameters, datasets, models: Object.keys(models) };
  const data = Float32Array.from(input.rows.flat(), (grey) => grey / 255);
  const [probabilities] = await models.digits.infer([{ name: "images", datatype: "FP32", shape: [1, 784], data }]);
  log("named one");
  return { digit: probabilities.data.indexOf(Math.max(...probabilities.data)) };
};`;
const schemas = {
  input: JSON.stringify({
    type: "object",
    properties: { rows: { type: "array", minItems: 28, maxItems: 28, items: { type: "array", minItems: 28 } } },
    anyOf: [{ required: ["rows"] }, { required: ["inputs"] }, { required: ["about"] }],
  }),
  output: JSON.stringify({ type: "object", properties: { digit: { type: "integer", maximum: 8 } } }),
};

describe("a handler with a model and an interface", () => {
  let trained: TrainedModel;
  let runtime: RuntimeProcess;

  beforeAll(async () => {
    trained = await trainModel();
    runtime = await startHandler(digits, {
      files: { "models/digits.onnx": trained.onnx },
      manifest: { interface: schemas, datasets: [{ alias: "train", id: "d" }] },
    });
  });

  afterAll(async () => {
    await runtime[Symbol.asyncDispose]();
  });

  const rowsOf = (index: number) => {
    const greys = trained.image(index).map((grey) => Math.round(grey * 255));
    return Array.from({ length: 28 }, (_, row) => greys.slice(row * 28, row * 28 + 28));
  };
  const digitFor = async (index: number) => {
    const { body } = await runtime.infer({ input: { rows: rowsOf(index) } });
    return body["output"];
  };

  it("names what the model names of the same image", async () => {
    await using plain = await startRuntime({ files: { "model.onnx": trained.onnx } });
    await plain.settled();
    for (const index of [0, 1, 2, 3]) {
      const tensor = { name: "images", datatype: "FP32", shape: [1, 784], data: trained.image(index) };
      const { body } = await plain.infer({ inputs: [tensor] });
      const [{ data }] = body["outputs"] as [{ data: number[] }];
      expect(await digitFor(index)).toEqual({ digit: digitOf(data) });
    }
    expect(runtime.said()).toContain("named one");
  });

  it("is told the request's parameters and its datasets", async () => {
    const { body } = await runtime.infer({ input: { about: true }, parameters: { top: 3, exact: true } });
    expect(body["output"]).toEqual({
      parameters: { top: 3, exact: true },
      datasets: [{ alias: "train", id: "d" }],
      models: ["digits"],
    });
  });

  it("is spoken to in the protocol's tensors by JSON in a text", async () => {
    const text = JSON.stringify({ rows: rowsOf(0) });
    const { body } = await runtime.infer({ inputs: [{ name: "input", datatype: "BYTES", shape: [1], data: [text] }] });
    expect(body["outputs"]).toEqual([
      { name: "output", datatype: "BYTES", shape: [1], data: [JSON.stringify(await digitFor(0))] },
    ]);
  });

  it("takes and answers any tensors", async () => {
    const tensors = [
      { name: "a", datatype: "INT64", shape: [2], data: [1, -2] },
      { name: "b", datatype: "BOOL", shape: [1, 2], data: [true, false] },
      { name: "c", datatype: "BYTES", shape: [1], data: ["Grüße"] },
      { name: "d", datatype: "FP64", shape: [3], data: [0.5, "NaN", "-Infinity"] },
    ];
    const { status, body } = await runtime.infer({ inputs: tensors });
    expect(status).toBe(200);
    expect(body["outputs"]).toEqual(tensors.map((tensor) => ({ ...tensor, name: `same ${tensor.name}` })));
  });

  it.each([
    [{ rows: [] }, /\/rows must NOT have fewer than 28 items/],
    [{}, /must have required property/],
    ["text", /\/ must be object/],
    [null, /\/ must be object/],
  ])("never sees what its interface does not take: %j", async (input, said) => {
    const { status, body } = await runtime.infer({ input });
    expect(status).toBe(400);
    expect(body["error"]).toMatch(said);
  });

  it("is not believed when it answers what its interface does not promise", async () => {
    const nines = Array.from({ length: 200 }, (_, index) => index).filter(
      (index) => trained.mnist.testLabels[index] === 9,
    );
    const answers = await Promise.all(nines.map((index) => runtime.infer({ input: { rows: rowsOf(index) } })));
    const refused = answers.filter(({ status }) => status === 500);
    // Some nines look like fours to a network that has learned so little.
    expect(refused.length).toBeGreaterThan(nines.length / 2);
    const said = new Set(refused.map(({ body }) => body["error"]));
    expect(said).toEqual(new Set(["The output does not fit the interface: /digit must be <= 8"]));
  });
});
