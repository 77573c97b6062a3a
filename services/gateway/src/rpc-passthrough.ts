import { ServerResponse } from "node:http";
import { callerContextHeader } from "@aiplatform/caller-identity";
import type { DescService } from "@bufbuild/protobuf";
import { type RequestHandler, Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { hopByHopOf } from "./hop-by-hop.ts";
import { createRpcPathReader } from "./rpc-path.ts";
import { bannerHeaders } from "./security-headers.ts";

/** Services that clients may call in Connect and gRPC-Web form through the gateway, and the URL of their owner. */
export interface PassthroughTarget {
  readonly url: string;
  readonly services: readonly DescService[];
}

const unavailable = '{"code":"unavailable","message":"the service does not answer; try again in a moment"}';

/**
 * Passes `POST /<package>.<Service>/<Method>` on unchanged. The owning service authenticates the caller by itself:
 * nothing works because it came from the gateway, so a caller context from outside does not get through.
 */
export function rpcPassthrough(targets: readonly PassthroughTarget[]): RequestHandler {
  const router = Router();
  router.use(({ headers }, response, next) => {
    // Here and not on the outgoing request, of which the proxy tells nobody when the caller wants a 100 Continue first.
    delete headers[callerContextHeader];
    const staysHere = hopByHopOf(headers);
    for (const name of Object.keys(headers)) {
      if (staysHere(name)) delete headers[name];
    }
    // The proxy says this to the service, and to the caller where the service says nothing.
    headers.connection = response.shouldKeepAlive ? "keep-alive" : "close";
    next();
  });
  for (const { url, services } of targets) {
    const rpcOf = createRpcPathReader(services);
    router.use(
      createProxyMiddleware({
        target: url,
        changeOrigin: true,
        pathFilter: (_path, { url: asked = "" }) => rpcOf(asked) !== undefined,
        on: {
          proxyRes: ({ headers }, { headers: { "x-request-id": requestId } }, { shouldKeepAlive }) => {
            for (const name of bannerHeaders) delete headers[name];
            headers.connection = shouldKeepAlive ? "keep-alive" : "close";
            // The one it was asked under, also where the service was not even reached by the call.
            if (requestId !== undefined) headers["x-request-id"] = String(requestId);
          },
          error: (_cause, _request, response) => {
            if (!(response instanceof ServerResponse) || response.headersSent) {
              response.destroy();
              return;
            }
            response.writeHead(503, { "content-type": "application/json", "retry-after": "1" }).end(unavailable);
          },
        },
      }),
    );
  }
  return router;
}
