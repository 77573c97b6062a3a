import { type handleBidiStreamingCall, type Server, status } from "@grpc/grpc-js";

interface Handler {
  readonly type: "bidi";
  readonly path: string;
  readonly func: handleBidiStreamingCall<Buffer, Buffer>;
  readonly deserialize: (bytes: Buffer) => Buffer;
  readonly serialize: (bytes: Buffer) => Buffer;
}

/**
 * Gives methods that the server does not have a handler that says so. grpc-js would answer them past every interceptor, and it
 * offers no handler for the rest: only its table of handlers can.
 */
export function answerUnknownMethods(server: Server): void {
  const handlers: Map<string, Handler> = server["handlers"];
  const known = handlers.get.bind(handlers);
  handlers.get = (path) => known(path) ?? unknownMethod(path);
}

function unknownMethod(path: string): Handler {
  const asTheyAre = (bytes: Buffer) => bytes;
  return {
    ...{ type: "bidi", path, deserialize: asTheyAre, serialize: asTheyAre },
    func: (call) => call.emit("error", { code: status.UNIMPLEMENTED, details: `there is no method ${path}` }),
  };
}
