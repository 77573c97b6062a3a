import { ServerResponse } from "node:http";
import { callerContextHeader } from "@aiplatform/caller-identity";
import { toHttpError } from "@aiplatform/transcoder";
import type { DescService } from "@bufbuild/protobuf";
import { type RequestHandler, Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import type { Door } from "./door.ts";
import { bannerHeaders } from "./security-headers.ts";

/** Services that clients may call in Connect and gRPC-Web form through the gateway, and the URL of their owner. */
export interface PassthroughTarget {
  readonly url: string;
  readonly services: readonly DescService[];
}

const unavailable = '{"code":"unavailable","message":"the service does not answer; try again in a moment"}';

/**
 * Passes `POST /<package>.<Service>/<Method>` on unchanged. The owning service authenticates the caller by itself:
 * nothing works because it came from the gateway, so a caller context from outside does not get through. Here its
 * credential is only counted, whatever the protocol: from an address that guesses, no new one is passed on.
 */
export function rpcPassthrough(targets: readonly PassthroughTarget[], door: Pick<Door, "countGuess">): RequestHandler {
  const router = Router();
  const everyPrefix = targets.flatMap(({ services }) => services.map(({ typeName }) => `/${typeName}/`));
  router.use((request, response, next) => {
    if (!everyPrefix.some((prefix) => request.path.startsWith(prefix))) next();
    else
      door.countGuess(request).then(
        () => next(),
        (refused: unknown) => putOff(response, refused),
      );
  });
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

/** In Connect's form; to gRPC-Web the status alone says UNAVAILABLE. */
function putOff(response: ServerResponse, refused: unknown): void {
  const { status, detail, headers } = toHttpError(refused);
  response
    .writeHead(status, { ...headers, "content-type": "application/json" })
    .end(JSON.stringify({ code: "resource_exhausted", message: detail }));
}
