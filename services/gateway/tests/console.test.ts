import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { brotliCompressSync } from "node:zlib";
import { createLogger } from "@aiplatform/service-host";
import { listenOnLoopback } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../src/console/console-files.ts";
import { createPages } from "../src/docs/pages.ts";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";

const cleanUp = new AsyncDisposableStack();
afterAll(() => cleanUp.disposeAsync());

/** The page as it is built for any path, and as it is sent. */
const pageOf = (name: string, path = "./") =>
  `<!doctype html><meta name="console-path" content="${path}" /><title>${name}</title><script src="${path}assets/${name}.js"></script>`;

/** A console as it is built: a page, and assets named by their content, compressed beside. */
async function built(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "console-"));
  cleanUp.defer(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, "assets"));
  const script = `export const version = "${name}";`;
  await writeFile(join(directory, "index.html"), pageOf(name));
  await writeFile(join(directory, "assets", `${name}.js`), script);
  await writeFile(join(directory, "assets", `${name}.js.br`), brotliCompressSync(script));
  await writeFile(join(directory, ".secret"), "not for the public");
  return directory;
}

async function serve(files: { path?: string; current?: string; previous?: string }): Promise<number> {
  const logger = createLogger({ service: "test", level: "silent" });
  const pages = createPages({ openApi: () => ({}), console: { path: "/console/", ...files }, logger });
  const server = cleanUp.adopt(createEdgeServer(pages), (one) => stopEdgeServer(one, 0));
  return await listenOnLoopback(server);
}

/** As it is written: `fetch` would tidy the path. */
async function ask(port: number, path: string, o: { method?: string; headers?: Record<string, string> } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string>;
    body: string;
  }>();
  const asked = request({ port, host: "127.0.0.1", path, agent: false, ...o }, async (response) => {
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    resolve({ status: response.statusCode ?? 0, headers, body: await text(response) });
  });
  asked.once("error", reject).end();
  return await promise;
}

let port: number;
beforeAll(async () => {
  port = await serve({ current: await built("new"), previous: await built("old") });
});

describe("the page of the console", () => {
  it.each(["/console/", "/console/runs/1", "/console/sign-in", "/console/a/b/c?d=e", "/console/index.html"])(
    "is at %s",
    async (path) => {
      const { status, headers, body } = await ask(port, path);
      expect([status, body]).toEqual([200, pageOf("new", "/console/")]);
      expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
    },
  );

  it("is where the gateway's own address leads", async () => {
    for (const path of ["/", "/console"]) {
      const { status, headers } = await ask(port, path);
      expect([status, headers["location"]]).toEqual([302, "/console/"]);
    }
  });

  it("may run and load what this gateway serves, and nothing else", async () => {
    const { headers } = await ask(port, "/console/");
    const policy = headers["content-security-policy"] ?? "";
    const directives = Object.fromEntries(policy.split("; ").map((each) => each.split(/ (.*)/)));
    expect(directives).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
    });
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  it.each(["/console/absent.js", "/console/.secret", "/console/a/b.c"])(
    "is not in the place of a file: %s",
    async (path) => {
      expect((await ask(port, path)).status).toBe(404);
    },
  );

  it("regression: a path of many dots keeps no other caller waiting", async () => {
    const started = performance.now();
    expect((await ask(port, `/console/a${".a".repeat(5_000)}!`)).status).toBe(404);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("is sent once to a browser that has it", async () => {
    const { headers } = await ask(port, "/console/");
    const again = await ask(port, "/console/", { headers: { "if-none-match": headers["etag"] ?? "" } });
    expect([again.status, again.headers["cache-control"]]).toEqual([304, "no-cache"]);
  });
});

describe("an asset of the console", () => {
  it("stays in a browser for ever", async () => {
    const { status, headers, body } = await ask(port, "/console/assets/new.js");
    expect([status, body]).toEqual([200, 'export const version = "new";']);
    expect(headers).toMatchObject({
      "content-type": "text/javascript",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it("is sent compressed to a browser that takes that", async () => {
    const { headers } = await ask(port, "/console/assets/new.js", { headers: { "accept-encoding": "gzip, br" } });
    expect(headers).toMatchObject({ "content-encoding": "br", vary: expect.stringContaining("Accept-Encoding") });
  });

  it("of the version before is there for pages that were opened before an upgrade", async () => {
    expect((await ask(port, "/console/assets/old.js")).body).toBe('export const version = "old";');
  });

  it("that is in no version is not found, and not remembered", async () => {
    const { status, headers } = await ask(port, "/console/assets/none.js");
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });

  it("is sent whole, whatever part is asked for", async () => {
    for (const range of ["bytes=5-2", "bytes=0-3", "bytes=x"]) {
      expect((await ask(port, "/console/assets/new.js", { headers: { range } })).status).toBe(200);
    }
  });
});

describe("a path that leads elsewhere", () => {
  it.each([
    "/console/../package.json",
    "/console/%2e%2e/package.json",
    "/console/..%2f..%2fetc/passwd",
    "/console/assets/../../package.json",
    "/console/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "/console/.secret",
    "/console/assets/%00",
    "/console/%",
    "//console/",
  ])("finds no file: %s", async (path) => {
    const { status, body } = await ask(port, path);
    expect(status === 404 || body === pageOf("new", "/console/"), `${status} ${body}`).toBe(true);
  });
});

describe("a method that reads nothing", () => {
  it.each(["POST", "PUT", "DELETE"])("is refused: %s", async (method) => {
    for (const path of ["/", "/console/", "/console/assets/new.js"]) {
      const { status, headers } = await ask(port, path, { method });
      expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
  });
});

describe("a gateway without a console", () => {
  it("says how to get one", async () => {
    const bare = await serve({});
    for (const path of ["/console/", "/console/runs/1"]) {
      const { status, headers, body } = await ask(bare, path);
      expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
      expect(body).toContain("CONSOLE_DIRECTORY");
    }
  });
});

describe("a console at another path", () => {
  let elsewhere: number;
  beforeAll(async () => {
    elsewhere = await serve({ path: "/tools/ai/", current: await built("new"), previous: await built("old") });
  });

  it.each(["/tools/ai/", "/tools/ai/runs/1"])("is the same build, with its addresses there: %s", async (path) => {
    const { status, body } = await ask(elsewhere, path);
    expect([status, body]).toEqual([200, pageOf("new", "/tools/ai/")]);
  });

  it.each(["/", "/tools/ai"])("is where %s leads", async (path) => {
    const { status, headers } = await ask(elsewhere, path);
    expect([status, headers["location"]]).toEqual([302, "/tools/ai/"]);
  });

  it("has its assets there, also those of the version before", async () => {
    expect((await ask(elsewhere, "/tools/ai/assets/new.js")).body).toBe('export const version = "new";');
    expect((await ask(elsewhere, "/tools/ai/assets/old.js")).body).toBe('export const version = "old";');
  });

  it.each(["/console/", "/tools/", "/tools/AI/", "/assets/new.js"])("is nowhere else: %s", async (path) => {
    expect((await ask(elsewhere, path)).status).toBe(404);
  });
});

describe("a directory without a console", () => {
  it("is a mistake that names it", async () => {
    const empty = await mkdtemp(join(tmpdir(), "console-"));
    cleanUp.defer(() => rm(empty, { recursive: true }));
    expect(() => consoleFiles({ path: "/console/", current: empty })).toThrow(`${empty} has no index.html`);
    expect(() => consoleFiles({ path: "/console/", previous: empty })).toThrow(`${empty} has no index.html`);
  });

  it("is one, too, whose page is built for a single path", async () => {
    const fixed = await built("fixed");
    await writeFile(join(fixed, "index.html"), pageOf("fixed", "/console/"));
    expect(() => consoleFiles({ path: "/tools/ai/", current: fixed })).toThrow("build it again");
  });
});
