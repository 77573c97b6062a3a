import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { ContractError } from "./errors/contract-error.ts";
import { PieceCompressor } from "./json/gzip.ts";
import { JsonOutput } from "./json/output.ts";
import { WriterCompiler } from "./messages/message-writer.ts";
import { compressFrom } from "./response/writer.ts";
import { rpcName } from "./routes/annotations.ts";
import { compileOperations } from "./routes/operation.ts";
import { acceptedEncodings } from "./rpc/conditions.ts";

/** Makes of a reply what the service answers: the body as REST shows it where the caller's metadata asks for that, else the reply itself. */
export type BodyRenderer<O extends DescMessage> = (
  reply: MessageInitShape<O>,
  requestHeader: Headers,
) => Promise<MessageInitShape<O>>;

/**
 * Renders replies of an RPC whose route has `rendered_body` in the service, as the transcoder would. A large `JsonDocument` in them is
 * compressed once for as long as its bytes are kept. @throws ContractError
 */
export function createBodyRenderer<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
): BodyRenderer<O> {
  const compiled = compileOperations([method.parent]).find(({ operation }) => operation.method === method);
  const { responseBody, renderedBody } = compiled?.binding ?? {};
  if (renderedBody === undefined) {
    throw new ContractError("bad_rendered_body", rpcName(method), "has no route with a rendered_body");
  }
  const writers = new WriterCompiler();
  const write = responseBody === undefined ? writers.message(method.output) : writers.field(responseBody);
  const compressor = new PieceCompressor();
  return async (reply, requestHeader) => {
    const accepted = acceptedEncodings(requestHeader);
    if (accepted === undefined) return reply;
    const output = new JsonOutput();
    write(create(method.output, reply), output);
    const pieces = output.pieces();
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const isEncoded = size > compressFrom && accepted.includes("gzip");
    const data = isEncoded ? await compressor.gzip(pieces) : Buffer.concat(pieces);
    // The field was found by the contract: it is of this type.
    return { [renderedBody.localName]: { data, coding: isEncoded ? "gzip" : "" } } as MessageInitShape<O>;
  };
}
