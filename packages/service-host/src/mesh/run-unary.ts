import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";

type Next = ReturnType<Interceptor>;

interface UnaryRun<I extends DescMessage, O extends DescMessage> {
  readonly request: Omit<UnaryRequest<I, O>, "signal" | "message">;
  readonly message: MessageInitShape<I>;
  readonly interceptors: readonly Interceptor[];
  /** Aborts when the caller no longer wants the call. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds the call has, its retries included; undefined = as long as it likes. */
  readonly timeoutMs: number | undefined;
  readonly next: (request: UnaryRequest<I, O>) => Promise<UnaryResponse<I, O>>;
}

/**
 * Runs a unary call through its interceptors, outermost first. Does what Connect's `runUnaryCall` does, with one signal
 * per call in place of three, which is left alone after a success: aborting it makes an error with a stack each time.
 *
 * @throws ConnectError also when the call was aborted or its time was over
 */
export async function runUnary<I extends DescMessage, O extends DescMessage>(
  o: UnaryRun<I, O>,
): Promise<UnaryResponse<I, O>> {
  const over = new AbortController();
  const { signal } = over;
  const leave = () => over.abort(o.signal?.reason);
  if (o.signal?.aborted) leave();
  o.signal?.addEventListener("abort", leave, { once: true });
  const expire = () => over.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  const timer = o.timeoutMs === undefined ? undefined : setTimeout(expire, o.timeoutMs);
  try {
    // Interceptors are typed for every method at once; what comes out is what `next` made.
    const run = o.interceptors.reduceRight((inner, interceptor) => interceptor(inner), o.next as unknown as Next);
    const request = { ...o.request, message: create(o.request.method.input, o.message), signal };
    return (await run(request)) as UnaryResponse<I, O>;
  } catch (error) {
    throw signal.aborted ? ConnectError.from(signal.reason, Code.Canceled) : ConnectError.from(error);
  } finally {
    clearTimeout(timer);
    o.signal?.removeEventListener("abort", leave);
  }
}
