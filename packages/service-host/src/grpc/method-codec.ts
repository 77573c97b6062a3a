import { type DescMessage, type DescMethod, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";

interface MessageCodec<M extends DescMessage> {
  serialize(message: MessageShape<M>): Buffer;
  deserialize(bytes: Buffer): MessageShape<M>;
}

/** How grpc-js writes and reads messages of a type. */
export function messageCodec<M extends DescMessage>(schema: M): MessageCodec<M> {
  return {
    serialize(message) {
      const bytes = toBinary(schema, message);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    // A plain view: `bytes` fields would otherwise be Buffers, which compare and print differently.
    deserialize: (bytes) => fromBinary(schema, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  };
}

/** The path a method is called by. */
export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}
