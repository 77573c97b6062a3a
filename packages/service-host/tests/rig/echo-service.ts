import { AccessSchema, access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { create, createFileRegistry, setExtension } from "@bufbuild/protobuf";
import type { GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_wrappers,
  type Int32ValueSchema,
  MethodDescriptorProtoSchema,
  MethodOptions_IdempotencyLevel,
  MethodOptionsSchema,
  type StringValueSchema,
} from "@bufbuild/protobuf/wkt";

/** A service with every kind of RPC; the contract itself has no client-streaming one. */
export type EchoService = GenService<{
  echo: { methodKind: "unary"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  /** Answers only once a `release` was called, whatever its signal says. */
  hold: { methodKind: "unary"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  count: { methodKind: "server_streaming"; input: typeof Int32ValueSchema; output: typeof Int32ValueSchema };
  /** Sends texts of 64 KiB, as many as asked for. */
  flood: { methodKind: "server_streaming"; input: typeof Int32ValueSchema; output: typeof StringValueSchema };
  sum: { methodKind: "client_streaming"; input: typeof Int32ValueSchema; output: typeof Int32ValueSchema };
  converse: { methodKind: "bidi_streaming"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  whisper: { methodKind: "unary"; input: typeof StringValueSchema; output: typeof StringValueSchema };
}>;

const text = ".google.protobuf.StringValue";
const number = ".google.protobuf.Int32Value";

function rpc(name: string, messages: [string, string], o: { streams?: [boolean, boolean]; permission?: string } = {}) {
  const [inputType, outputType] = messages;
  const [clientStreaming, serverStreaming] = o.streams ?? [false, false];
  const safe = name === "Echo";
  const options = create(MethodOptionsSchema, {
    ...(safe ? { idempotencyLevel: MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS } : {}),
  });
  const rule = { case: "permission" as const, value: o.permission ?? "echo:use" };
  const unrecorded = safe ? "" : "an echo fades";
  setExtension(options, access, create(AccessSchema, { rule, unrecorded }));
  return create(MethodDescriptorProtoSchema, {
    name,
    inputType,
    outputType,
    clientStreaming,
    serverStreaming,
    options,
  });
}

const file = create(FileDescriptorProtoSchema, {
  name: "echo/v1/echo.proto",
  package: "echo.v1",
  syntax: "proto3",
  dependency: ["google/protobuf/wrappers.proto"],
  service: [
    {
      name: "EchoService",
      method: [
        rpc("Echo", [text, text]),
        rpc("Hold", [text, text]),
        rpc("Count", [number, number], { streams: [false, true] }),
        rpc("Flood", [number, text], { streams: [false, true] }),
        rpc("Sum", [number, number], { streams: [true, false] }),
        rpc("Converse", [text, text], { streams: [true, true] }),
        rpc("Whisper", [text, text], { permission: "echo:whisper" }),
      ],
    },
  ],
});
const files = [file_google_protobuf_descriptor.proto, file_google_protobuf_wrappers.proto, file];
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));

export const EchoService = registry.getService("echo.v1.EchoService") as unknown as EchoService;
