import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { RequestHandler } from "express";
import sirv from "sirv";

const assetsPath = "/assets/";
/** Their names change with their content. */
const forEver = "public, max-age=31536000, immutable";

/** Pages run scripts of their own files alone, talk to this gateway alone, and turn no text into code or HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Where the console is beside the bundled gateway. */
const bundledDirectory = join(import.meta.dirname, "console");

/** Where the console is, and what it is served from. */
export interface ConsoleFiles {
  /** Begins and ends with a slash. */
  readonly path: string;
  /** Default: beside the bundled gateway; from sources there is none. */
  readonly current?: string | undefined;
  /** Of the version before: pages that were opened before an upgrade ask for its assets. Default: none. */
  readonly previous?: string | undefined;
}

type Files = ReturnType<typeof sirv>;

/**
 * The files of the console, for requests below its path. Files are listed once, at the start, so no path leads out of their directory. What
 * is no file is left to the next handler. @throws Error when a directory that is named has no console, or one that is built for a single path
 */
export function consoleFiles({ path, current, previous }: ConsoleFiles): RequestHandler {
  for (const directory of [current, previous]) if (directory !== undefined) assertBuilt(directory);
  const directory = current ?? (isBuilt(bundledDirectory) ? bundledDirectory : undefined);
  const pages = directory === undefined ? undefined : pagesOf(directory, path);
  const assets = [directory, previous].flatMap((each) => (each === undefined ? [] : [assetsOf(each)]));
  return (request, response, next) => {
    // Assets are small: parts of them help no one.
    delete request.headers.range;
    response.set(headers);
    // Said before the files are looked at, so that a 304 says it, too.
    response.set("cache-control", request.path.startsWith(assetsPath) ? forEver : "no-cache");
    if (!request.path.startsWith(assetsPath)) {
      if (pages) pages(request, response, next);
      else next();
      return;
    }
    const serve = (index: number) => {
      const files = assets[index];
      if (files) files(request, response, () => serve(index + 1));
      else next();
    };
    serve(0);
  };
}

/** Whether there is a console in the directory. */
function isBuilt(directory: string): boolean {
  return existsSync(join(directory, "index.html"));
}

function assertBuilt(directory: string): void {
  if (!isBuilt(directory)) throw new Error(`${directory} has no index.html: it is no built console`);
}

const variants = {
  etag: true,
  gzip: true,
  brotli: true,
  setHeaders: (response: ServerResponse) => void response.appendHeader("vary", "Origin"),
};

/** What begins addresses in the page as it is built; the page has its own path in an attribute, too. */
const relative = '"./';
const ownPath = `content=${relative}"`;

/** The page, also at the addresses that only its own router knows. */
function pagesOf(directory: string, path: string): RequestHandler {
  // Not by the option `single`: it meets each path with a pattern whose time grows exponentially.
  const files = sirv(directory, { ...variants, extensions: [] });
  const page = pageAt(directory, path);
  const etag = `"${createHash("sha256").update(page).digest("base64url").slice(0, 22)}"`;
  return (request, response, next) => {
    if (request.path !== "/index.html" && isNamedAsFile(request.url)) files(request, response, next);
    else response.set("etag", etag).type("text/html").send(page);
  };
}

/** The page with absolute addresses: it is sent for paths of any depth. */
function pageAt(directory: string, path: string): string {
  const built = readFileSync(join(directory, "index.html"), "utf8");
  if (built.includes(ownPath)) return built.replaceAll(relative, `"${path}`);
  throw new Error(`${directory} has a console that is built for a single path: build it again with npm run build`);
}

/** A file that is absent is not answered by the page. */
function isNamedAsFile(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return path.slice(path.lastIndexOf("/")).includes(".");
}

/** Files that are named by their content. */
function assetsOf(directory: string): Files {
  return sirv(directory, { ...variants, extensions: [] });
}
