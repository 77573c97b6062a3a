import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Logger } from "@aiplatform/service-host";
import { HttpError, requestIdOf, writeError } from "@aiplatform/transcoder";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import type { ConsoleFiles } from "../console/console-files.ts";
import { consolePages } from "../console/pages.ts";
import { referencePage } from "./reference-page.ts";

/** Everything on the public port that is neither an operation nor passed on. */
export function createPages(o: { openApi: () => object; console: ConsoleFiles; logger: Logger }): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  let rendered: Buffer | undefined;
  const descriptions = new Map<Encoding, Description>();
  app.get("/openapi.json", (request, response) => {
    // With the first request: a tenth of what the gateway does at its start, and most replicas are never asked.
    rendered ??= Buffer.from(JSON.stringify(o.openApi()));
    const encoding = encodingFor(request);
    const { body, etag } = descriptions.get(encoding) ?? encoded(rendered, encoding);
    descriptions.set(encoding, { body, etag });
    response.set({ etag, "cache-control": "public, max-age=60", vary: "Accept-Encoding" });
    if (encoding !== "identity") response.set("content-encoding", encoding);
    if (request.headers["if-none-match"] === etag) response.status(304).end();
    else response.type("application/json").send(body);
  });
  app.all("/openapi.json", onlyRead);
  app.use(referencePage(onlyRead));
  app.use(consolePages({ files: o.console, otherwise: onlyRead, fail }));
  app.use((request, response) => fail(request, response, new HttpError(404, "Not Found", "not_found")));
  app.use(failed(o.logger));
  return app;
}

interface Description {
  readonly body: Buffer;
  readonly etag: string;
}

type Encoding = keyof typeof encoders;

const encoders = {
  // The default quality blocks the event loop much longer.
  br: (text: Buffer) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: Buffer) => gzipSync(text),
  identity: (text: Buffer) => text,
} as const;

/** The encoding that the caller prefers. */
function encodingFor(request: Request): Encoding {
  if (request.headers["accept-encoding"] === undefined) return "identity";
  const chosen = request.acceptsEncodings("br", "gzip");
  return chosen === "br" || chosen === "gzip" ? chosen : "identity";
}

/** Bytes of another encoding are another version of it. */
function encoded(text: Buffer, encoding: Encoding): Description {
  const body = encoders[encoding](text);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}

/** For the methods that no page takes. */
const onlyRead: RequestHandler = (request, response) => {
  const allow = "GET, HEAD, OPTIONS";
  if (request.method === "OPTIONS") response.writeHead(204, { allow }).end();
  else fail(request, response, new HttpError(405, "Method Not Allowed", "method_not_allowed", { allow }));
};

function fail(request: Request, response: Response, error: HttpError): void {
  writeError(request, response, error, { requestId: requestIdOf(request.headers["x-request-id"]) });
}

/** Express knows an error handler by its four parameters. What it cannot decode leads nowhere. */
function failed(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    if (error instanceof URIError) return fail(request, response, new HttpError(404, "Not Found", "not_found"));
    logger.error({ err: error }, "a page failed");
    fail(request, response, new HttpError(500, "Internal Server Error", "internal"));
  };
}
