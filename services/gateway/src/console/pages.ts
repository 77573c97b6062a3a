import { HttpError } from "@aiplatform/transcoder";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { type ConsoleFiles, consoleFiles } from "./console-files.ts";

const absent =
  "There is no console here: build it with npm run build --workspace @aiplatform/console, and name its dist folder in CONSOLE_DIRECTORY";

/** What the pages around the console do. */
export interface ConsoleOptions {
  readonly files: ConsoleFiles;
  /** Answers methods that read nothing. */
  readonly otherwise: RequestHandler;
  readonly fail: (request: Request, response: Response, error: HttpError) => void;
}

/** The console, and the way to it from the gateway's own address. */
export function consolePages({ files: from, otherwise, fail }: ConsoleOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const files = consoleFiles(from);
  const { path } = from;
  const ways = ["/", path.slice(0, -1)];
  router.get(ways, (_request, response) => response.redirect(302, path));
  router.all(ways, otherwise);
  router.use(path, (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") files(request, response, next);
    else otherwise(request, response, next);
  });
  router.use(path, (request, response) => {
    response.set("cache-control", "no-store");
    const isPage = !request.path.startsWith("/assets/");
    fail(request, response, new HttpError(404, isPage ? absent : "Not Found", "not_found"));
  });
  return router;
}
