import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { HttpError } from "../errors/http-error.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { RpcAnswer } from "./caller.ts";

/** A body that becomes the messages of a client stream. */
export interface PassedOnBody {
  /** The first of them: everything but the body. */
  readonly message: Message;
  /** Field that the pieces of the body are put into. */
  readonly field: DescField;
  /** Milliseconds in which the next piece must come. */
  readonly pauseMs: number;
  readonly call: (messages: AsyncIterable<Message>) => Promise<RpcAnswer>;
}

/** Passes a body on at the pace of its service. Throws {@link HttpError} 408, 415, 499, and what the call throws. */
export async function passOnBody(
  exchange: Exchange,
  { message, field, pauseMs, call }: PassedOnBody,
): Promise<RpcAnswer> {
  const coding = (exchange.header("content-encoding") ?? "identity").trim().toLowerCase();
  if (coding !== "identity" && coding !== "") {
    throw new HttpError(415, "The bytes are taken as they are, without Content-Encoding", "unsupported_encoding");
  }
  const over = new AbortController();
  let failure: unknown;
  async function* messages(): AsyncGenerator<Message> {
    try {
      yield message;
      for await (const piece of exchange.readPieces({ pauseMs, stopped: over.signal })) yield messageOf(piece);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  // The contract was checked for it: the field holds bytes.
  const messageOf = (piece: Buffer) => Object.assign(create(field.parent), { [field.localName]: piece });
  try {
    return await call(messages());
  } catch (error) {
    // A transport would say that its caller has failed.
    throw failure ?? error;
  } finally {
    over.abort();
  }
}
