import type { HttpError } from "../errors/http-error.ts";
import { type BodyLimits, maxPieceBytes, type PieceLimits } from "../exchange/exchange.ts";
import { BodyPieces, clientGone, tooLarge, tooSlow } from "../request/body.ts";

/** Reads a whole body within limits, as it was sent. Throws {@link HttpError}: 408, 413, 499. */
export async function readBytes(request: Request, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Buffer> {
  const { body, signal } = request;
  if (request.bodyUsed || body?.locked) throw new TypeError("The request's body was read already: pass a clone");
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
  const pieces = new BodyPieces(bodyBytes);
  if (body === null) return pieces.whole();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let fault: HttpError | undefined;
  // A read that is under way ends with that.
  const stop = (error: HttpError) => {
    fault ??= error;
    reader.cancel().catch(() => undefined);
  };
  const onGone = () => stop(clientGone());
  const timer = setTimeout(() => stop(tooSlow()), bodyTimeoutMs);
  signal.addEventListener("abort", onGone);
  if (signal.aborted) onGone();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!pieces.add(next.value)) stop(tooLarge(bodyBytes));
    }
  } catch {
    fault ??= clientGone();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onGone);
  }
  if (fault !== undefined) throw fault;
  return pieces.whole();
}

/** The body as it arrives. Throws {@link HttpError} 408 when nothing comes for `pauseMs`, 499 when the client goes. */
export async function* readPieces(
  request: Request,
  { pauseMs, stopped }: PieceLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  if (reader === undefined) return;
  const given = Promise.withResolvers<never>();
  given.promise.catch(() => undefined);
  const giveUp = () => given.reject(clientGone());
  const timer = setTimeout(() => given.reject(tooSlow()), pauseMs);
  const ends = AbortSignal.any([request.signal, stopped]);
  ends.addEventListener("abort", giveUp);
  if (ends.aborted) giveUp();
  try {
    for (;;) {
      timer.refresh();
      const { value, done } = await Promise.race([reader.read(), given.promise]);
      if (done) return;
      for (let start = 0; start < value.length; start += maxPieceBytes)
        yield Buffer.from(value.subarray(start, start + maxPieceBytes));
    }
  } finally {
    clearTimeout(timer);
    ends.removeEventListener("abort", giveUp);
    reader.cancel().catch(() => undefined);
  }
}
