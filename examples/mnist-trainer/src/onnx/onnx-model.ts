import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  ModelProtoSchema,
  type NodeProtoSchema,
  TensorProto_DataType,
  type TensorProtoSchema,
  type TypeProtoSchema,
} from "../gen/onnx_pb.js";
import { type Layer, layersOf, layerWidths } from "../learning/network.ts";

/**
 * The network as an ONNX model: input `images` (any number × 784, grey values 0 to 1), output `probabilities`
 * (× 10). `properties` end up in its metadata.
 */
export function encodeOnnx(parameters: Float32Array, properties: Readonly<Record<string, string>>): Uint8Array {
  const layers = layersOf(parameters);
  const model = create(ModelProtoSchema, {
    irVersion: 8n,
    producerName: "aiplatform-mnist-trainer",
    opsetImport: [{ domain: "", version: 17n }],
    metadataProps: Object.entries(properties).map(([key, value]) => ({ key, value })),
    graph: {
      name: `mnist-${layerWidths.join("-")}`,
      input: [{ name: "images", type: matrixType(layerWidths[0] ?? 0) }],
      output: [{ name: "probabilities", type: matrixType(layerWidths.at(-1) ?? 0) }],
      initializer: layers.flatMap(layerTensors),
      node: [...layers.flatMap((_, index) => layerNodes(index, layers.length)), softmaxNode],
    },
  });
  return toBinary(ModelProtoSchema, model);
}

type Node = MessageInitShape<typeof NodeProtoSchema>;

const softmaxNode: Node = {
  opType: "Softmax",
  name: "softmax",
  input: ["scores"],
  output: ["probabilities"],
  attribute: [{ name: "axis", type: AttributeProto_AttributeType.INT, i: 1n }],
};

function layerNodes(index: number, count: number): Node[] {
  const input = index === 0 ? "images" : `hidden_${index}`;
  const gemm = { opType: "Gemm", name: `layer_${index}`, input: [input, `weights_${index}`, `biases_${index}`] };
  if (index === count - 1) return [{ ...gemm, output: ["scores"] }];
  const rectified = {
    opType: "Relu",
    name: `relu_${index}`,
    input: [`sums_${index}`],
    output: [`hidden_${index + 1}`],
  };
  return [{ ...gemm, output: [`sums_${index}`] }, rectified];
}

function layerTensors(
  { inputs, outputs, weights, biases }: Layer,
  index: number,
): MessageInitShape<typeof TensorProtoSchema>[] {
  return [
    { name: `weights_${index}`, dims: [BigInt(inputs), BigInt(outputs)], ...floats(weights) },
    { name: `biases_${index}`, dims: [BigInt(outputs)], ...floats(biases) },
  ];
}

function floats(values: Float32Array): { dataType: number; rawData: Uint8Array<ArrayBuffer> } {
  const rawData = new Uint8Array(values.length * 4);
  const view = new DataView(rawData.buffer);
  values.forEach((value, index) => {
    view.setFloat32(index * 4, value, true);
  });
  return { dataType: TensorProto_DataType.FLOAT, rawData };
}

function matrixType(columns: number): MessageInitShape<typeof TypeProtoSchema> {
  const shape = {
    dim: [
      { value: { case: "dimParam" as const, value: "count" } },
      { value: { case: "dimValue" as const, value: BigInt(columns) } },
    ],
  };
  return { value: { case: "tensorType", value: { elemType: TensorProto_DataType.FLOAT, shape } } };
}
