import type { ConnectError, Interceptor } from "@connectrpc/connect";
import { type Context, context } from "@opentelemetry/api";

type Next = ReturnType<Interceptor>;
type Request = Parameters<Next>[0];
type Response = Awaited<ReturnType<Next>>;

interface CallWatcher {
  /** Context in which the rest of the call runs, each message of a stream included. */
  readonly within?: Context;
  /** Turns what was thrown into what is thrown on. */
  readonly failed?: (error: unknown) => unknown;
  /** Called once: after the last message, with the error that ended the call, or when the caller left a stream. */
  readonly ended?: (error?: unknown) => void;
  /** Called with the response before its first message. */
  readonly answered?: (response: Response) => void;
}

/** Runs the rest of a call under the eyes of an interceptor; the same for unary calls and for streams. */
export async function watchCall(next: Next, request: Request, watcher: CallWatcher): Promise<Response> {
  const { failed = (error: unknown) => error, ended = () => {} } = watcher;
  try {
    const response = await (watcher.within ? context.with(watcher.within, next, undefined, request) : next(request));
    watcher.answered?.(response);
    if (response.stream)
      return { ...response, message: watchMessages(response.message, { ...watcher, failed, ended }) };
    ended();
    return response;
  } catch (error) {
    const failure = failed(error);
    ended(failure);
    throw failure;
  }
}

function watchMessages<T>(
  messages: AsyncIterable<T>,
  { within, failed, ended }: Required<Pick<CallWatcher, "failed" | "ended">> & Pick<CallWatcher, "within">,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = messages[Symbol.asyncIterator]();
      const step = () => iterator.next();
      let over = false;
      const end = (error?: unknown) => {
        if (over) return;
        over = true;
        ended(error);
      };
      return {
        async next() {
          try {
            const result = await (within ? context.with(within, step) : step());
            if (result.done) end();
            return result;
          } catch (error) {
            const failure = failed(error);
            end(failure);
            throw failure;
          }
        },
        async return(value?: unknown) {
          end();
          await iterator.return?.();
          return { done: true, value };
        },
      };
    },
  };
}

/** `package.Service/Method`, as logs, metrics and spans call an RPC. */
export function rpcName(method: Request["method"]): string {
  return `${method.parent.typeName}/${method.name}`;
}

export type { ConnectError, Next, Request, Response };
