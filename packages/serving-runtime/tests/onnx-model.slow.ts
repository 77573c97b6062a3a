import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRPCInferenceService } from "../src/gen/inference_pb.js";
import { servingRuntimeMetrics } from "../src/runtime-metrics.ts";
import { modelName, type RuntimeProcess, startRuntime, token } from "./runtime-process.ts";
import { digitOf, type TrainedModel, trainModel } from "./trained-model.ts";

interface InferBody {
  outputs: { name: string; datatype: string; shape: number[]; data: number[] }[];
}

describe("an MNIST model, as the trainer exports it", () => {
  let trained: TrainedModel;
  let runtime: RuntimeProcess;
  const path = `/v2/models/${modelName}`;

  beforeAll(async () => {
    trained = await trainModel();
    runtime = await startRuntime({ files: { "model.onnx": trained.onnx } });
    expect(await runtime.settled()).toMatchObject({ state: "ready", in_flight: 0, last_used_at: null });
  });

  afterAll(async () => {
    await runtime[Symbol.asyncDispose]();
  });

  const images = (count: number) => ({
    name: "images",
    datatype: "FP32",
    shape: [count, 784],
    data: Array.from(trained.mnist.testImages.subarray(0, count * 784)),
  });

  it("says what it takes and answers", async () => {
    expect(await (await runtime.ask(path)).json()).toEqual({
      name: modelName,
      versions: ["1"],
      platform: "onnx_onnxv1",
      inputs: [{ name: "images", datatype: "FP32", shape: [-1, 784] }],
      outputs: [{ name: "probabilities", datatype: "FP32", shape: [-1, 10] }],
    });
  });

  it("names most of the real test images", async () => {
    const count = 500;
    const { status, body } = await runtime.infer({ id: "request 1", inputs: [images(count)] });
    expect({ status, id: body["id"], version: body["model_version"] }).toEqual({
      status: 200,
      id: "request 1",
      version: "1",
    });
    const { outputs } = body as unknown as InferBody;
    expect(outputs[0]?.shape).toEqual([count, 10]);
    const named = Array.from({ length: count }, (_, at) =>
      digitOf(outputs[0]?.data.slice(at * 10, at * 10 + 10) ?? []),
    );
    const right = named.filter((digit, at) => digit === trained.mnist.testLabels[at]).length;
    expect(right / count).toBeGreaterThan(0.85);
  });

  it("takes nested rows like flat ones", async () => {
    const nested = { ...images(1), data: [trained.image(0)] };
    const [flat, deep] = await Promise.all([
      runtime.infer({ inputs: [images(1)] }),
      runtime.infer({ inputs: [nested] }),
    ]);
    expect(deep.body).toEqual(flat.body);
  });

  it("answers alike in JSON, in bytes and over gRPC", async () => {
    const json = await runtime.infer({ inputs: [images(2)] });
    const wanted = (json.body as unknown as InferBody).outputs[0]?.data ?? [];

    const { data, ...head } = images(2);
    const bytes = Buffer.from(Float32Array.from(data).buffer);
    const text = Buffer.from(
      JSON.stringify({
        inputs: [{ ...head, parameters: { binary_data_size: bytes.length } }],
        outputs: [{ name: "probabilities", parameters: { binary_data: true } }],
      }),
    );
    const raw = await runtime.ask(`${path}/infer`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "inference-header-content-length": String(text.length) },
      body: Buffer.concat([text, bytes]),
    });
    const answer = Buffer.from(await raw.arrayBuffer());
    const from = Number(raw.headers.get("inference-header-content-length"));
    expect(JSON.parse(answer.subarray(0, from).toString())).toMatchObject({
      outputs: [{ name: "probabilities", shape: [2, 10], parameters: { binary_data_size: 80 } }],
    });
    const floats = (part: Buffer) => Array.from({ length: 20 }, (_, at) => part.readFloatLE(at * 4));
    expect(floats(answer.subarray(from))).toEqual(wanted);

    const client = createClient(GRPCInferenceService, createGrpcTransport({ baseUrl: runtime.grpcUrl }));
    const headers = { authorization: `Bearer ${token}` };
    const input = { name: head.name, datatype: head.datatype, shape: head.shape.map(BigInt) };
    const typed = await client.modelInfer(
      { modelName, id: "g", inputs: [{ ...input, contents: { fp32Contents: data } }] },
      { headers },
    );
    expect(typed.outputs[0]?.contents?.fp32Contents).toEqual(wanted);
    expect({ id: typed.id, version: typed.modelVersion }).toEqual({ id: "g", version: "1" });
    const rawToo = await client.modelInfer({ modelName, inputs: [input], rawInputContents: [bytes] }, { headers });
    expect(floats(Buffer.from(rawToo.rawOutputContents[0] ?? []))).toEqual(wanted);
  });

  it.each([
    ["another name", { name: "pictures" }, /inputs\[0\]\.name/],
    ["another datatype", { datatype: "FP64" }, /inputs\[0\]\.datatype must be FP32/],
    ["an unknown datatype", { datatype: "COMPLEX" }, /inputs\[0\]\.datatype must be one of/],
    ["another shape", { shape: [2, 392] }, /inputs\[0\]\.shape must be \[-1,784\]/],
    ["no shape", { shape: "1x784" }, /inputs\[0\]\.shape/],
    ["fewer elements", { data: [1, 2, 3] }, /inputs\[0\]\.data has 3 elements/],
    ["what is no number", { data: Array(784).fill("a") }, /inputs\[0\]\.data holds what is no FP32/],
    ["no data", { data: undefined }, /inputs\[0\]\.data must be an array/],
  ])("refuses an input with %s, and says where", async (_, change, said) => {
    const { status, body } = await runtime.infer({ inputs: [{ ...images(1), ...change }] });
    expect(status).toBe(400);
    expect(body["error"]).toMatch(said);
  });

  it.each([
    ["no inputs", { inputs: [] }, /the model also takes images/],
    ["an output that there is not", { inputs: "images", outputs: [{ name: "x" }] }, /no output "x"/],
    ["plain JSON, which is for handlers", { input: 1 }, /serves a model/],
    ["an id that is no text", { id: 1, inputs: [] }, /id must be a text/],
  ])("refuses %s", async (_, body, said) => {
    const sent = "inputs" in body && body.inputs === "images" ? { ...body, inputs: [images(1)] } : body;
    const answer = await runtime.infer(sent);
    expect(answer.status).toBe(400);
    expect(answer.body["error"]).toMatch(said);
  });

  it("tells Prometheus of it", async () => {
    const text = await (await fetch(`${runtime.url}/metrics`)).text();
    expect(text).toMatch(/serving_prediction_duration_seconds_count\{outcome="done"[^}]*\} \d+/);
    expect(text).toMatch(/serving_prediction_duration_seconds_count\{outcome="invalid"[^}]*\} \d+/);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "target_info");
    expect(names.sort()).toEqual(Object.keys(servingRuntimeMetrics).sort());
    expect(text).toMatch(/^serving_ready(?:\{[^}]*\})? 1/m);
    expect(text).not.toContain(runtime.directory);
  });

  it("knows when it was used last", async () => {
    const { last_used_at } = await runtime.state();
    expect(Date.now() - Date.parse(last_used_at ?? "")).toBeLessThan(60_000);
  });
});

describe("a model behind an interface", () => {
  it("is held to it, in and out", async () => {
    const { onnx, image } = await trainModel(1);
    const input = JSON.stringify({
      properties: { inputs: { items: { properties: { shape: { prefixItems: [{ const: 1 }] } } } } },
    });
    const output = JSON.stringify({
      properties: { outputs: { items: { properties: { name: { const: "scores" } } } } },
    });
    await using runtime = await startRuntime({
      files: { "model.onnx": onnx },
      manifest: { interface: { input, output } },
    });
    await runtime.settled();
    const images = (count: number) => ({
      inputs: [
        {
          name: "images",
          datatype: "FP32",
          shape: [count, 784],
          data: Array.from({ length: count }, (_, at) => image(at)).flat(),
        },
      ],
    });
    const refused = await runtime.infer(images(2));
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining("/inputs/0/shape/0") } });
    const broken = await runtime.infer(images(1));
    expect(broken).toMatchObject({ status: 500, body: { error: expect.stringContaining("/outputs/0/name") } });
  });
});
