import { ServerResponse } from "node:http";
import { callerContextHeader } from "@aiplatform/caller-identity";
import type { DescService } from "@bufbuild/protobuf";
import { type RequestHandler, Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
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
  for (const { url, services } of targets) {
    const prefixes = services.map(({ typeName }) => `/${typeName}/`);
    router.use(
      createProxyMiddleware({
        target: url,
        changeOrigin: true,
        pathFilter: (path) => prefixes.some((prefix) => path.startsWith(prefix)),
        on: {
          proxyReq: (request) => request.removeHeader(callerContextHeader),
          proxyRes: ({ headers }) => {
            for (const name of bannerHeaders) delete headers[name];
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
