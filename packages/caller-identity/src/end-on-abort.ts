import type { Interceptor, StreamRequest, StreamResponse, UnaryRequest, UnaryResponse } from "@connectrpc/connect";

type Next = ReturnType<Interceptor>;

/**
 * Runs the rest of the call and ends it, with the signal's reason, as soon as `signal` aborts, even if the handler does
 * not look at its own signal. Messages of a stream that were already yielded are not lost.
 */
export async function endOnAbort(
  next: Next,
  request: UnaryRequest | StreamRequest,
  signal: AbortSignal,
): Promise<UnaryResponse | StreamResponse> {
  const response = await settledOrAborted(next(request), signal);
  return response.stream ? { ...response, message: endingOnAbort(response.message, signal) } : response;
}

function settledOrAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function endingOnAbort<T>(messages: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = messages[Symbol.asyncIterator]();
      // One listener for the whole stream: racing each message against a promise would grow with the stream.
      let refuse = (_reason: unknown) => {};
      const abort = () => {
        refuse(signal.reason);
        iterator.return?.()?.catch(() => {});
      };
      signal.addEventListener("abort", abort, { once: true });
      return {
        next: () =>
          new Promise((resolve, reject) => {
            refuse = reject;
            if (signal.aborted) reject(signal.reason);
            else iterator.next().then(resolve, reject);
          }),
        async return(value?: unknown) {
          signal.removeEventListener("abort", abort);
          await iterator.return?.();
          return { done: true, value };
        },
      };
    },
  };
}
