import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../src/index.ts";
import { everythingOptions } from "./everything-api.ts";

const run = promisify(execFile);
const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const json = { "content-type": "application/json" };
const { shared, seen, failures } = await everythingOptions({ direct: true });
const handle = createFetchHandler(shared);

beforeEach(() => {
  Object.assign(seen, { streamsEnded: 0, ticks: 0 });
  failures.length = 0;
});

const to = (path: string, init?: RequestInit) => new Request(`https://api.test${path}`, init);

describe("a request for a path without a route", () => {
  it("is left to others, its body unread", async () => {
    const request = to("/unknown", { method: "POST", headers: json, body: "{}" });
    expect(await handle(request)).toBeUndefined();
    expect(await request.text()).toBe("{}");
  });
});

describe("a request that another has read", () => {
  it("is a failure of the server, whose remedy `onFailure` is told", async () => {
    const request = to(`/everything/${id}`, { method: "PUT", headers: json, body: "{}" });
    await request.text();
    expect((await handle(request))?.status).toBe(500);
    expect(failures).toMatchObject([{ message: "The request's body was read already: pass a clone" }]);
  });
});

describe("a client that goes while it sends a body", () => {
  it("has no more of it read, and is no failure of the server", async () => {
    const client = new AbortController();
    const pulled = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    // A stream of its own signal would fail by itself; this one only waits.
    const body = new ReadableStream({ pull: () => pulled.resolve(), cancel: () => cancelled.resolve() });
    const request = to(`/everything/${id}`, {
      method: "PUT",
      headers: json,
      body,
      duplex: "half",
      signal: client.signal,
    });
    const answer = handle(request);
    await pulled.promise;
    client.abort();
    await cancelled.promise;
    expect([(await answer)?.status, failures]).toEqual([499, []]);
  });
});

describe("what is prepared", () => {
  const prepared = (prepare: FetchHandlerOptions<[caller: string]>["prepare"]) =>
    createFetchHandler<[caller: string]>({ ...shared, ...(prepare && { prepare }) });

  it("is told the operation, and what the handler was called with", async () => {
    const asked: unknown[] = [];
    const guarded = prepared(async ({ operation, requestId }, caller) => {
      asked.push(operation.path, requestId, caller);
      return { headers: new Headers({ "x-caller": caller }) };
    });
    const headers = { ...json, "x-request-id": "r-1" };
    await guarded(to(`/everything/${id}`, { method: "PUT", headers, body: "{}" }), "ada");
    expect(asked).toEqual(["/everything/{id}", "r-1", "ada"]);
    expect(seen.headers.at(-1)?.get("x-caller")).toBe("ada");
  });

  it("may set headers of each answer, a refusal too", async () => {
    const guarded = prepared(async ({ answerHeaders }, caller) => {
      answerHeaders.set("vary", "Origin");
      if (caller === "") throw new ConnectError("Not authenticated", Code.Unauthenticated);
      return { headers: new Headers() };
    });
    const given = await guarded(to("/documents/large"), "ada");
    const refused = await guarded(to("/documents/large"), "");
    expect([given?.headers.get("vary"), refused?.status, refused?.headers.get("vary")]).toEqual([
      "Origin, Accept-Encoding",
      401,
      "Origin",
    ]);
  });
});

describe("a streamed answer", () => {
  it("waits for its reader, and goes on when it reads", async () => {
    const many = 20_000;
    const response = await handle(to(`/counts/${many}`));
    await expect.poll(() => seen.ticks).toBeGreaterThan(100);
    expect(seen.ticks).toBeLessThan(many / 2);
    const text = (await response?.text()) ?? "";
    expect([text.trimEnd().split("\n").length, seen.ticks, seen.streamsEnded]).toEqual([many, many, 1]);
  });

  it.each(["/counts/0", "/counts/20000"])("is cancelled when its reader goes: %s", async (path) => {
    const response = await handle(to(path));
    await response?.body?.cancel();
    await expect.poll(() => seen.streamsEnded).toBe(1);
    expect(failures).toEqual([]);
  });

  it("ends when its client goes", async () => {
    const client = new AbortController();
    const response = await handle(to("/counts/0", { signal: client.signal }));
    client.abort();
    expect(await response?.text()).toBe("");
    await expect.poll(() => seen.streamsEnded).toBe(1);
  });
});

describe("the handler", () => {
  it("is made of modules that name only these of Node", async () => {
    const source = join(import.meta.dirname, "../src");
    const files = [join(source, "fetch-handler.ts")];
    const names = new Set<string>();
    for (const file of files) {
      for (const [, name = ""] of (await readFile(file, "utf8")).matchAll(/\bfrom "([^"]+)"/g)) {
        const path = join(dirname(file), name);
        if (!name.startsWith(".")) names.add(name);
        else if (!files.includes(path)) files.push(path);
      }
    }
    expect(files.length).toBeGreaterThan(30);
    expect([...names].filter((name) => name.startsWith("node:")).sort()).toEqual([
      "node:buffer",
      "node:crypto",
      "node:events",
      "node:querystring",
      "node:util",
      "node:zlib",
    ]);
  });

  it("answers where `node:http` cannot be loaded", async () => {
    const script = `
      import { registerHooks } from "node:module";
      const blocked = /^(?:node:)?(?:_?http|https|http2|net|tls)\\b/;
      registerHooks({
        resolve(name, context, next) {
          if (blocked.test(name)) throw new Error("loads " + name);
          return next(name, context);
        },
      });
      const { callerFromImplementations, createFetchHandler } = await import("./src/index.ts");
      const { RoleService } = await import("@aiplatform/contract/aiplatform/identity/v1/roles");
      const createRole = ({ name }) => ({ role: { name } });
      const call = callerFromImplementations(({ service }) => service(RoleService, { createRole }));
      const handle = createFetchHandler({ services: [RoleService], call });
      const body = JSON.stringify({ name: "R", slug: "r", permission_ids: [] });
      const request = new Request("http://api.test/organisations/roles", {
        method: "POST", headers: { "content-type": "application/json" }, body,
      });
      const answer = await handle(request);
      console.log(answer.status, JSON.parse(await answer.text()).name);
      await import("node:http").catch(({ message }) => console.log(message));
    `;
    const cwd = join(import.meta.dirname, "..");
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd });
    expect(stdout).toBe("201 R\nloads node:http\n");
  });
});
