import type { DescService } from "@bufbuild/protobuf";
import { type RequestHandler, Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

/** Services that clients may call in Connect and gRPC-Web form through the gateway, by the URL of their owner. */
export interface PassthroughTarget {
  url: string;
  services: readonly DescService[];
}

/** Headers that only the mesh itself may set. */
const meshHeaders = ["x-caller-context"];

/**
 * Passes `POST /<package>.<Service>/<Method>` on unchanged. The owning service authenticates the caller by itself:
 * nothing works because it came from the gateway.
 */
export function rpcPassthrough(targets: readonly PassthroughTarget[]): RequestHandler {
  const router = Router();
  for (const { url, services } of targets) {
    const proxy = createProxyMiddleware({
      target: url,
      changeOrigin: true,
      xfwd: true,
      on: {
        proxyReq: (request) => {
          for (const name of meshHeaders) request.removeHeader(name);
        },
        error: (_cause, _request, response) => {
          if (!("writeHead" in response)) return response.destroy();
          if (!response.headersSent)
            response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
          response.end('{"code":"unavailable","message":"The service does not answer; try again in a moment"}');
        },
      },
    });
    for (const { typeName } of services) {
      router.use((request, response, next) => {
        if (request.path.startsWith(`/${typeName}/`)) proxy(request, response, next);
        else next();
      });
    }
  }
  return router;
}
