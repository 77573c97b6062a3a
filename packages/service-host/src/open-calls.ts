import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { deadlineKey, peerKey } from "./current-call.ts";
import { timeoutOf } from "./interceptors/deadline.ts";

/** Told to a call's signal when it is over; one for all, because making an error costs more than the rest of the farewell. */
const callOver = new ConnectError("the call is over", Code.Canceled);
/** Longest that a timer of Node's can wait; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

interface NewCall {
  readonly method: DescMethod;
  readonly protocolName: "grpc" | "connect";
  readonly requestHeader: Headers;
  /** Milliseconds that the caller gives the call; undefined = it does not say. */
  readonly requestedMs: number | undefined;
  readonly peer: () => string | undefined;
}

/** A call that is being served. */
export interface OpenCall {
  readonly context: HandlerContext;
  /** The caller has left, or its connection is lost. */
  cancel(): void;
  /** The call has been answered. */
  close(): void;
}

/**
 * The calls of a port that are being served. Does what Connect's `createHandlerContext` does, with one AbortController per
 * call in place of two, no listener per call at the signal of the shutdown, and no copy of the request's headers.
 */
export class OpenCalls {
  readonly #callTimeoutMs: number;
  readonly #shutdownSignal: AbortSignal;
  readonly #controllers = new Set<AbortController>();

  /** `shutdownSignal` aborts, with the reason to answer, when calls under way have to end. */
  constructor(o: { callTimeoutMs: number; shutdownSignal: AbortSignal }) {
    this.#callTimeoutMs = o.callTimeoutMs;
    this.#shutdownSignal = o.shutdownSignal;
    const end = () => {
      for (const controller of this.#controllers) controller.abort(o.shutdownSignal.reason);
    };
    o.shutdownSignal.addEventListener("abort", end, { once: true });
  }

  open({ method, protocolName, requestHeader, requestedMs, peer }: NewCall): OpenCall {
    const controller = new AbortController();
    const { signal } = controller;
    const timeoutMs = timeoutOf(method.methodKind, requestedMs, this.#callTimeoutMs);
    const deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
    const values = createContextValues().set(peerKey, peer);
    if (deadline !== undefined) values.set(deadlineKey, deadline);
    const timer = timeoutMs === undefined ? undefined : expireIn(timeoutMs, controller);
    this.#controllers.add(controller);
    if (this.#shutdownSignal.aborted) controller.abort(this.#shutdownSignal.reason);
    return {
      context: {
        ...{ service: method.parent, method, protocolName, requestMethod: "POST", url: urlOf(method) },
        ...{ signal, timeoutMs: () => (deadline === undefined ? undefined : deadline - Date.now()), values },
        ...{ requestHeader, responseHeader: new Headers(), responseTrailer: new Headers() },
      },
      cancel() {
        if (!signal.aborted) controller.abort(new ConnectError("the caller cancelled the call", Code.Canceled));
      },
      close: () => {
        clearTimeout(timer);
        this.#controllers.delete(controller);
        controller.abort(callOver);
      },
    };
  }
}

function expireIn(timeoutMs: number, controller: AbortController): NodeJS.Timeout | undefined {
  const expire = () => controller.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  if (timeoutMs > 0) return setTimeout(expire, Math.min(timeoutMs, maxTimerMs));
  expire();
  return undefined;
}

function urlOf({ parent, name }: DescMethod): string {
  return `http://mesh/${parent.typeName}/${name}`;
}
