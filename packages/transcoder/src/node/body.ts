import type { IncomingMessage } from "node:http";
import type { HttpError } from "../errors/http-error.ts";
import { type AnswerHeaders, type BodyLimits, maxPieceBytes, type PieceLimits } from "../exchange/exchange.ts";
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

/** The body as it arrives. Throws {@link HttpError} 408 when nothing comes for so long, 499 when the client goes. */
export async function* readPieces(
  request: IncomingMessage,
  { pauseMs, stopped }: PieceLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const arrived: Buffer[] = [];
  let failure: HttpError | undefined;
  let isWhole = false;
  let wake = () => {};
  const fail = (error: HttpError) => {
    failure ??= error;
    wake();
  };
  const timer = setTimeout(() => fail(tooSlow(closing)), pauseMs);
  const onStopped = () => wake();
  const onData = (chunk: Buffer) => {
    request.pause();
    arrived.push(chunk);
    wake();
  };
  const onEnd = () => {
    isWhole = true;
    wake();
  };
  const onGone = () => fail(clientGone());
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  stopped.addEventListener("abort", onStopped);
  try {
    while (!stopped.aborted) {
      const chunk = arrived.shift();
      if (chunk !== undefined) yield* slices(chunk);
      else if (isWhole) return;
      else if (failure !== undefined) throw failure;
      else {
        timer.refresh();
        const signalled = new Promise<void>((resolve) => (wake = resolve));
        request.resume();
        await signalled;
      }
    }
  } finally {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onGone);
    stopped.removeEventListener("abort", onStopped);
  }
}

function* slices(chunk: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < chunk.length; start += maxPieceBytes) yield chunk.subarray(start, start + maxPieceBytes);
}

/** Throws the rest of a body away, and closes the connection where that is too much, or takes too long. */
export function leaveBody(request: IncomingMessage, pauseMs: number): AnswerHeaders {
  if (request.complete) return {};
  const declared = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (declared > discardedBytes) return closing;
  const cut = setTimeout(() => request.destroy(), pauseMs).unref();
  request.once("close", () => clearTimeout(cut)).once("end", () => clearTimeout(cut));
  request.resume();
  return {};
}
