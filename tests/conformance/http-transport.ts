import { createContextValues, type Transport } from "@connectrpc/connect";
import { callOverHttp } from "../../packages/service-host/src/mesh/http-call.ts";
import { HttpConnection } from "../../packages/service-host/src/mesh/http-connection.ts";
import { runUnary } from "../../packages/service-host/src/mesh/run-unary.ts";

interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * How services make unary calls to each other over HTTP/1.1, alone: the mesh's transport goes over gRPC where it can. A connection
 * for each call, so that none waits for another.
 */
export function createHttpTransport({ host, port }: Target): Transport & { close(): void } {
  return {
    unary: (method, signal, timeoutMs, header, message, contextValues = createContextValues()) =>
      runUnary({
        request: {
          ...{ stream: false, method, service: method.parent, requestMethod: "POST", url: `http://${host}` },
          ...{ header: new Headers(header), contextValues },
        },
        ...{ message, interceptors: [], signal, timeoutMs },
        async next(request) {
          const target = { host, port, authority: `${host}:${port}`, proof: undefined, tls: undefined };
          const connection = await HttpConnection.open(target, () => {});
          try {
            return await callOverHttp(connection, request, timeoutMs && Date.now() + timeoutMs);
          } finally {
            connection.close();
          }
        },
      }),
    stream: () => Promise.reject(new Error("streams go over gRPC")),
    close: () => {},
  };
}
