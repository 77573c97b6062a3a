import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask } from "../mesh/rest.ts";
import { type DescribedOperation, deviations, filled, operations, otherForm, sorted } from "./described-operations.ts";

let platform: LocalPlatform["description"];

let operatorKey: string;
sharedPlatform(({ description, directory }) => {
  platform = description;
  operatorKey = readFileSync(join(directory, "secrets", "operator-key"), "utf8");
});

const problemJson = "application/problem+json";

interface Question {
  path?: string;
  method?: string;
  bearer?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Asks, and looks at what every answer has. */
async function asked(operation: DescribedOperation, o: Question = {}): Promise<Answer> {
  const { method = operation.method, path = filled(operation), headers, ...more } = o;
  const id = `conventions-${randomUUID()}`;
  const body = operation.hasBody && method === operation.method ? { body: {} } : {};
  const answer = await ask(platform, { ...body, ...more, method, path, headers: { "x-request-id": id, ...headers } });
  expectOnEvery(answer, headers?.["x-request-id"] === undefined ? id : undefined);
  return answer;
}

function expectOnEvery({ status, headers }: Answer, id?: string): void {
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  if (id !== undefined) expect(headers.get("x-request-id")).toBe(id);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).not.toBeNull();
  expect([headers.get("server"), headers.get("x-powered-by"), headers.get("access-control-allow-origin")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(status).toBeLessThan(500);
}

/** Something of the demo where there is such a thing. */
const known = (name: string): string | undefined =>
  Object.entries(platform).flatMap(([key, value]) => (key === name && typeof value === "string" ? [value] : []))[0];

const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const guarded = named.filter(([, { isPublic }]) => !isPublic);
const reads = named.filter(([, { method }]) => method === "GET");
const withIds = guarded.filter(([, { inPath }]) => inPath.some(({ isId }) => isId));

/** Whether browsers open it, or are led on by it. Providers and mail programs add what they like to such an address. */
const isPage = ({ path }: { path: string }) =>
  /\/external-oauth\/(authorize|callback)|\/sign-in\/\{provider\}\//.test(path);

const unknownParameter = { type: "extra_forbidden", loc: ["query", "no_such_field"] };

describe("every operation", () => {
  it.each(guarded)("asks for a credential: %s", async (_, operation) => {
    const { status, headers, body } = await asked(operation, { bearer: null });
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(Object.keys(body)).toEqual(operation.failure);
  });

  it.each(guarded)("says by the standard that a credential is none: %s", async (_, operation) => {
    const { status, headers } = await asked(operation, { bearer: "nonsense" });
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it.each(guarded)("answers by RFC 9457 who prefers that: %s", async (_, operation) => {
    for (const bearer of [null, platform.bearer]) {
      const { status, headers, body } = await asked(operation, { bearer, headers: { accept: problemJson } });
      if (status < 400) continue;
      expect([status, headers.get("content-type")]).toEqual([status, problemJson]);
      expect(body).toMatchObject({ type: expect.any(String), title: expect.any(String), status });
      expect([typeof body.detail, Array.isArray(body.errors)]).toEqual(["string", status === 422]);
    }
  });

  it.each(guarded)("says what is left of the organisation's rate: %s", async (_, operation) => {
    const { headers } = await asked(operation);
    expect(headers.get("ratelimit-policy")).toMatch(/^"organisation";q=\d+;w=1$/);
    expect(headers.get("ratelimit")).toMatch(/^"organisation";r=\d+;t=\d+$/);
  });

  it.each(named)("is the same with a slash at its end and without one: %s", async (_, operation) => {
    const { status, body } = await asked(operation);
    const other = await asked(operation, { path: otherForm(filled(operation)) });
    expect([other.status, typeof other.body?.detail]).toEqual([status, typeof body?.detail]);
  });

  it.each(named)(
    "refuses what it does not know under /platform/, and ignores it elsewhere: %s",
    async (_, operation) => {
      const { status } = await asked(operation);
      const more = operation.hasBody ? { body: { no_such_field: 1 } } : {};
      const { status: other, body } = await asked(operation, { path: `${filled(operation)}?no_such_field=1`, ...more });
      // A caller without the permission is told nothing else. Clients of another API add what that has.
      const isOurs = operation.path.startsWith("/platform/") && !operation.path.startsWith("/platform/mlflow/");
      const refuses = status !== 403 && isOurs && !isPage(operation);
      expect(other).toBe(refuses ? 422 : status);
      if (refuses) expect(body.detail).toContainEqual(expect.objectContaining(unknownParameter));
    },
  );

  it.each(named)("says what its path may be asked with: %s", async (_, operation) => {
    const { status, headers } = await asked(operation, { method: "OPTIONS", bearer: null });
    expect([status, sorted(headers.get("allow") ?? "")]).toEqual([204, operation.allow]);
  });

  it.each(named)("says so, too, to who asks with something else: %s", async (_, operation) => {
    const method = ["PATCH", "DELETE", "PUT", "POST", "GET"].find((each) => !operation.allow.includes(each)) ?? "";
    const { status, headers, body } = await asked(operation, { method, bearer: null });
    expect([status, sorted(headers.get("allow") ?? "")]).toEqual([405, operation.allow]);
    expect(Object.keys(body)).toEqual(operation.failure);
    expect(Object.values(body)).toContain("Method Not Allowed");
  });

  it.each(named)("gives an id of its own for one that is not safe: %s", async (_, operation) => {
    for (const unsafe of ["x".repeat(129), "a b"]) {
      const { headers } = await asked(operation, { bearer: null, headers: { "x-request-id": unsafe } });
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    }
  });
});

describe("every operation with ids in its path", () => {
  const spellings: [string, (id: string) => string][] = [
    ["capitals", (id) => id.toUpperCase()],
    ["without hyphens", (id) => id.replaceAll("-", "")],
    ["braces", (id) => `{${id}}`],
    ["a URN", (id) => `urn:uuid:${id}`],
  ];
  const spelled = (operation: DescribedOperation, spell: (id: string) => string) =>
    filled(operation, (name) => {
      const { isId, example } = operation.inPath.find((each) => each.name === name) ?? { isId: false, example: "" };
      return isId ? spell(example) : example;
    });

  it.each(withIds)("takes them in every spelling: %s", async (_, operation) => {
    const { status } = await asked(operation);
    for (const [, spell] of spellings) {
      const { status: same } = await asked(operation, { path: spelled(operation, spell) });
      expect(same).toBe(status);
    }
  });

  it.each(withIds)("says which of them is none: %s", async (_, operation) => {
    const bearer = operation.path.startsWith("/platform/organisations/") ? operatorKey : platform.bearer;
    const { status, body } = await asked(operation, { path: spelled(operation, () => "none"), bearer });
    expect(status).toBe(422);
    const ids = operation.inPath.filter(({ isId }) => isId).map(({ name }) => ["path", name]);
    if (body.detail) expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual(expect.arrayContaining(ids));
    else for (const [, name] of ids) expect(body.message).toContain(`${name}: `);
  });
});

describe("every read", () => {
  const once = (operation: DescribedOperation) => (operation.streams ? filled(operation) : filled(operation, known));

  it.each(reads)("has the same headers without its body: %s", async (_, operation) => {
    const path = once(operation);
    const whole = await asked(operation, { path });
    const head = await asked(operation, { path, method: "HEAD" });
    const same = ["content-type", "etag", "allow", "vary", "cache-control"];
    expect([head.status, head.text]).toEqual([whole.status, ""]);
    expect(same.map((name) => head.headers.get(name))).toEqual(same.map((name) => whole.headers.get(name)));
    // What the audit log answers grows by being asked.
    const there = ["content-length", "link"];
    expect(there.map((name) => head.headers.has(name))).toEqual(there.map((name) => whole.headers.has(name)));
  });

  it.each(reads)("leaves no field out, and spells ids and times in one way: %s", async (_, operation) => {
    const { status, body } = await asked(operation, { path: once(operation) });
    if (status !== 200 || operation.schema === undefined) return;
    expect(deviations(body, operation.schema)).toEqual([]);
  });

  it.each(reads)("is not repeated to who has it already, where it has an ETag: %s", async (_, operation) => {
    const path = once(operation);
    const { headers } = await asked(operation, { path });
    const etag = headers.get("etag");
    if (etag === null || isPage(operation)) return;
    for (const shown of [etag, `"other", ${etag}`, "*"]) {
      const again = await asked(operation, { path, headers: { "if-none-match": shown } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await asked(operation, { path, headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });
});

describe("what has an ETag", () => {
  it("are the metrics of a run and dictionaries, as the page on their meaning says", async () => {
    const tagged = await Promise.all(
      reads.map(async ([, operation]) => {
        const path = operation.streams ? filled(operation) : filled(operation, known);
        return (await asked(operation, { path })).headers.has("etag") ? [operation.path] : [];
      }),
    );
    expect(tagged.flat()).toEqual(
      expect.arrayContaining([expect.stringMatching(/metrics/), expect.stringMatching(/dictionary/)]),
    );
  });
});

describe("what is no operation", () => {
  const rpc = "/aiplatform.training.v1.RunService/CreateRun";
  const readable = "/aiplatform.training.v1.RunService/GetRun";
  const predictions = `/platform/deployments/${randomUUID()}/v2/models/x/infer`;

  it.each([
    ["the description", "GET", "/openapi.json", 200],
    ["the reference", "GET", "/docs", 200],
    ["a file of the reference", "GET", "/docs/swagger-ui.css", 200],
    ["nothing", "GET", "/nothing/at/all", 404],
    ["nothing, written to", "POST", "/nothing/at/all", 404],
    ["a notebook where there are none", "GET", "/notebooks/hub/home", 404],
    ["a call that is passed on", "POST", readable, 400],
    ["a call to nothing", "POST", "/aiplatform.training.v1.RunService/Nothing", 404],
    [
      "a call to an RPC that is not published",
      "POST",
      "/aiplatform.identity.v1.CredentialService/ExchangeCredential",
      404,
    ],
    ["a prediction of nothing", "POST", predictions, 404],
  ])("has what every answer has: %s", async (_, method, path, status) => {
    const id = `others-${randomUUID()}`;
    const more = method === "POST" ? { body: "{}" } : {};
    const answer = await ask(platform, { ...more, method, path, headers: { "x-request-id": id } });
    expectOnEvery(answer, id);
    expect(answer.status).toBe(status);
  });

  it.each([
    ["/openapi.json", "GET, HEAD, OPTIONS"],
    ["/docs", "GET, HEAD, OPTIONS"],
    ["/docs/start.js", "GET, HEAD, OPTIONS"],
    ["/docs/swagger-ui.css", "GET, HEAD, OPTIONS"],
    [rpc, "OPTIONS, POST"],
    [readable, "GET, OPTIONS, POST"],
    [predictions, "GET, HEAD, OPTIONS, POST"],
  ])("says what it may be asked with: %s", async (path, allow) => {
    const options = await ask(platform, { path, method: "OPTIONS", bearer: null });
    expectOnEvery(options);
    expect([options.status, sorted(options.headers.get("allow") ?? "")]).toEqual([204, allow]);
    const other = await ask(platform, { path, method: "DELETE", bearer: null });
    expectOnEvery(other);
    expect([other.status, sorted(other.headers.get("allow") ?? "")]).toEqual([405, allow]);
  });

  it.each([
    ["gzip", "gzip", gunzipSync],
    ["br", "br;q=1, gzip;q=0.5", brotliDecompressSync],
    [undefined, "br;q=0, identity", (body: Buffer) => body],
    [undefined, undefined, (body: Buffer) => body],
  ])("sends the description as %s to a caller that accepts %s", async (encoding, accepted, decode) => {
    const url = new URL("/openapi.json", platform.gateway);
    const headers: Record<string, string> = accepted === undefined ? {} : { "accept-encoding": accepted };
    const answer = await request(url, { headers });
    const body = Buffer.from(await answer.body.arrayBuffer());
    expect([answer.headers["content-encoding"], answer.headers["vary"]]).toEqual([
      encoding,
      expect.stringContaining("Accept-Encoding"),
    ]);
    expect(JSON.parse(decode(body).toString())).toMatchObject({ openapi: "3.1.0" });
    if (encoding !== undefined) expect(body.length).toBeLessThan(decode(body).length / 5);
    const etag = String(answer.headers["etag"]);
    const again = await request(url, { headers: { ...headers, "if-none-match": etag } });
    expect([again.statusCode, await again.body.text()]).toEqual([304, ""]);
  });

  it("answers by RFC 9457 who prefers that", async () => {
    const { status, headers, body } = await ask(platform, { path: "/nothing", headers: { accept: problemJson } });
    expect([status, headers.get("content-type")]).toEqual([404, problemJson]);
    expect(body).toEqual(expect.objectContaining({ title: "Not Found", status: 404, detail: "Not Found" }));
  });
});
