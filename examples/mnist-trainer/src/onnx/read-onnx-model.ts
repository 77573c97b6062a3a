import { fromBinary } from "@bufbuild/protobuf";
import { type ModelProto, ModelProtoSchema } from "../gen/onnx_pb.js";
import { layersOf, parameterCount } from "../learning/network.ts";

/** A file is no model that this trainer has written. */
export class ModelFileError extends Error {
  override name = "ModelFileError";
}

/** The weights and biases of a model as `encodeOnnx` writes it. @throws ModelFileError */
export function decodeOnnx(bytes: Uint8Array): Float32Array {
  const initializers = new Map(modelOf(bytes).graph?.initializer.map(({ name, rawData }) => [name, rawData]));
  const parameters = new Float32Array(parameterCount());
  layersOf(parameters).forEach(({ weights, biases }, index) => {
    readFloats(initializers.get(`weights_${index}`), weights);
    readFloats(initializers.get(`biases_${index}`), biases);
  });
  return parameters;
}

function modelOf(bytes: Uint8Array): ModelProto {
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch (cause) {
    throw new ModelFileError("the file is no ONNX model", { cause });
  }
}

function readFloats(raw: Uint8Array | undefined, into: Float32Array): void {
  if (raw?.length !== into.length * 4) throw new ModelFileError("the model has other layers than this trainer's");
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  for (let index = 0; index < into.length; index++) into[index] = view.getFloat32(index * 4, true);
}
