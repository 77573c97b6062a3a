import { createHash } from "node:crypto";
import type { Logger } from "@aiplatform/service-host";
import express, { type ErrorRequestHandler, type Express } from "express";
import { referencePage } from "./reference-page.ts";
import { type RpcGuardParts, rpcGuard } from "./rpc-guard.ts";
import { type PassthroughTarget, rpcPassthrough } from "./rpc-passthrough.ts";

/** Everything on the public port that is not a transcoded operation. */
export function createPages(o: {
  openApi: object;
  targets: readonly PassthroughTarget[];
  guard: RpcGuardParts;
  logger: Logger;
}): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  const description = Buffer.from(JSON.stringify(o.openApi));
  const etag = `"${createHash("sha256").update(description).digest("base64url").slice(0, 22)}"`;
  app.get("/openapi.json", (request, response) => {
    response.set({ etag, "cache-control": "public, max-age=60" });
    if (request.headers["if-none-match"] === etag) response.status(304).end();
    else response.type("application/json").send(description);
  });
  app.use(referencePage());
  const passedOn = o.targets.flatMap(({ services }) => services);
  app.use(rpcGuard(passedOn, o.guard), rpcPassthrough(o.targets));
  app.use((_request, response) => {
    response.status(404).json({ detail: "Not Found" });
  });
  app.use(failed(o.logger));
  return app;
}

/** Express knows an error handler by its four parameters. */
function failed(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    logger.error({ err: error }, "a page failed");
    if (response.headersSent) response.destroy();
    else response.status(500).json({ detail: "Internal Server Error", code: "internal" });
  };
}
