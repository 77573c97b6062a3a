// What the conformance runner and a program under test tell each other: messages behind their length, on standard input and output.
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";

const lengthBytes = 4;

/** Reads messages until the runner closes standard input. */
export async function* readMessages<Desc extends DescMessage>(desc: Desc): AsyncGenerator<MessageShape<Desc>> {
  let held = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= lengthBytes) {
      const end = lengthBytes + held.readUInt32BE(0);
      if (held.length < end) break;
      yield fromBinary(desc, held.subarray(lengthBytes, end));
      held = held.subarray(end);
    }
  }
}

export function writeMessage<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): void {
  const bytes = toBinary(desc, message);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.length);
  process.stdout.write(Buffer.concat([length, bytes]));
}
