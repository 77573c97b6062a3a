import { ServerReflection } from "@aiplatform/contract/grpc/reflection/v1/reflection";
import { create, createFileRegistry, fromJson, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const present = JSON.stringify(toJson(FileDescriptorProtoSchema, ServerReflection.file.proto));
const former = present.replaceAll("grpc.reflection.v1", "grpc.reflection.v1alpha").replaceAll("/v1/", "/v1alpha/");
const file = fromJson(FileDescriptorProtoSchema, JSON.parse(former));
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));

/** Reflection under the name that it had before it was done, which Python's and older clients ask for; else the same. */
export const ServerReflectionV1alpha = registry.getService(
  "grpc.reflection.v1alpha.ServerReflection",
) as unknown as typeof ServerReflection;
