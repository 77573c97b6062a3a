import type { IncomingMessage } from "node:http";
import type { HttpError } from "../errors/http-error.ts";
import type { BodyLimits } from "../exchange/exchange.ts";
import { BodyPieces, clientGone, tooLarge, tooSlow } from "../request/body.ts";

/**
 * A client that is cut off while it sends never reads why. Up to this declared size the rest is therefore let in and
 * thrown away, which costs no memory; beyond it, and where no size is declared, the connection is closed.
 */
const discardedBytes = 64 * 1024 * 1024;
const closing = { connection: "close" };

/** Reads a whole body within limits, as it was sent. Throws {@link HttpError}: 408, 413, 499. */
export async function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes, declared > discardedBytes ? closing : {});
  return collect(request, limits);
}

function collect(request: IncomingMessage, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces = new BodyPieces(bodyBytes);
  const fail = (error: HttpError) => {
    stop();
    reject(error);
  };
  const timer = setTimeout(() => fail(tooSlow(closing)), bodyTimeoutMs);
  const onData = (chunk: Buffer) => {
    if (!pieces.add(chunk)) fail(tooLarge(bodyBytes, closing));
  };
  const onEnd = () => {
    stop();
    resolve(pieces.whole());
  };
  const onGone = () => fail(clientGone());
  // At once rather than when the promise is looked at: the stream closes in between.
  const stop = () => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onGone);
  };
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return promise;
}
