import { brotliCompressSync, gzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, listed, startEverything, surfaces } from "./everything-api.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
describe.each(surfaces)("over $name", (surface) => {
  let api: EverythingApi;

  beforeAll(async () => {
    api = await startEverything({ ...surface, limits: { bodyBytes: 10_000, bodyTimeoutMs: 300, deadlineMs: 400 } });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  function put(body: unknown, path = `/everything/${id}`, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    return api.fetch(path, {
      method: "PUT",
      headers: { "content-type": "application/json", ...headers },
      body: text,
    });
  }

  function fail(kind: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return api.fetch(`/failures/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  describe("a message written as JSON", () => {
    it("has every field, null where there is no value, and none that is hidden", async () => {
      const answer = await (await put({})).json();
      expect(answer).toEqual({
        text: "",
        maybe_text: null,
        small: 0,
        count: 0,
        big: 0,
        huge: 0,
        ratio: 0,
        rough: 0,
        flag: false,
        maybe_flag: null,
        blob: "",
        colour: null,
        maybe_colour: null,
        at: null,
        settings: null,
        content: null,
        tags: [],
        colours: [],
        metrics: {},
        child: null,
        children: [],
        name: null,
        number: null,
        limit: 10,
        document: null,
        key: null,
        mood: null,
        palette: {},
      });
    });

    it("keeps free-form JSON byte for byte", async () => {
      const settings = '{ "__proto__": 1,"n":12345678901234567890.10, "n": [1e5 ,-0] }';
      const text = await (await put(`{"settings":${settings},"content": [ 1.50 ],"document":{"a" : 1}}`)).text();
      expect(text).toContain(`"settings":${settings},"content":[ 1.50 ],`);
      expect(text).toContain(`"document":{"a" : 1},`);
    });

    it("has enums in lower case without prefix, 64-bit numbers as numbers, times in UTC with milliseconds", async () => {
      const body =
        '{"colour":"deep_blue","big":-9007199254740993,"huge":18446744073709551615,"at":"2026-01-01T02:00:00+02:00"}';
      const text = await (await put(body)).text();
      expect(text).toContain('"colour":"deep_blue"');
      expect(text).toContain('"big":-9007199254740993,"huge":18446744073709551615');
      expect(text).toContain('"at":"2026-01-01T00:00:00.000Z"');
    });

    it("takes integers beyond a type's range as the end of the range", async () => {
      const answer = await (await put('{"count":99999999999,"big":1e18}')).json();
      expect(answer).toMatchObject({ count: 4294967295, big: 1e18 });
    });

    it("reads a uuid in any spelling and answers it in one", async () => {
      const answer = await (await put({ key: `{${id.toUpperCase()}}` })).json();
      expect(answer).toMatchObject({ key: id });
    });
  });

  describe("a request with problems everywhere", () => {
    it("lists them by path, query, header and body", async () => {
      const body = { text: 1, small: 100, tags: ["a", 2], child: { child: { flag: "maybe" } }, name: "x", number: 1 };
      const response = await put(body, "/everything/x?page=0&page=x&only=red&only=green", { "x-mode": "too long" });
      const { detail } = await listed(response);
      expect(response.status).toBe(422);
      expect(detail.map((entry: { loc: unknown; type: string }) => [entry.loc, entry.type])).toEqual([
        [["path", "id"], "uuid_parsing"],
        [["query", "page"], "int_parsing"],
        [["query", "only", 1], "enum"],
        [["header", "X-Mode"], "string_too_long"],
        [["body", "text"], "string_type"],
        [["body", "small"], "less_than"],
        [["body", "tags", 1], "string_type"],
        [["body", "child", "child", "flag"], "bool_parsing"],
        [["body"], "value_error"],
      ]);
    });

    it("lists a hundred of them and says that there are more", async () => {
      const { detail } = await listed(await put({ children: Array.from({ length: 500 }, () => 1) }));
      expect(detail).toHaveLength(101);
      expect(detail[100]).toMatchObject({ type: "too_many_errors", loc: ["body"] });
    });

    it("echoes each input that has room in the whole answer, and no other", async () => {
      await using small = await startEverything({ ...surface, limits: { errorBytes: 1000 } });
      const body = JSON.stringify({ text: ["x".repeat(500)], maybe_text: ["y".repeat(500)], flag: "maybe" });
      const headers = { "content-type": "application/json" };
      const response = await small.fetch(`/everything/${id}`, { method: "PUT", headers, body });
      const text = await response.clone().text();
      const { detail } = await listed(response);
      expect(text.length).toBeLessThanOrEqual(1000 + '{"detail":}'.length);
      expect(detail.map(({ type, input }) => [type, input])).toEqual([
        ["string_type", ["x".repeat(500)]],
        ["string_type", undefined],
        ["bool_parsing", "maybe"],
      ]);
    });

    it("is answered as a problem document when that is preferred", async () => {
      const response = await put({ text: 1 }, undefined, {
        accept: "application/problem+json, application/json;q=0.5",
      });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toMatchObject({
        status: 422,
        detail: "The request has 1 problem",
        errors: [{ type: "string_type", loc: ["body", "text"], input: 1 }],
      });
    });
  });

  describe("a body", () => {
    it("is taken as gzip and brotli", async () => {
      const text = JSON.stringify({ text: "hello" });
      for (const [coding, bytes] of [
        ["gzip", gzipSync(text)],
        ["br", brotliCompressSync(text)],
      ] as const) {
        const response = await put(new Uint8Array(bytes), undefined, { "content-encoding": coding });
        expect(await response.json()).toMatchObject({ text: "hello" });
      }
    });

    it("is refused in another encoding", async () => {
      expect((await put("{}", undefined, { "content-encoding": "zstd" })).status).toBe(415);
    });

    it("is refused when it is too large, also after decompression", async () => {
      expect((await put(`"${"x".repeat(10_000)}"`)).status).toBe(413);
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(1_000_000, 32)));
      expect((await put(bomb, undefined, { "content-encoding": "gzip" })).status).toBe(413);
    });

    it("is refused when it is too large without saying so in advance", async () => {
      expect(await api.putUnended(`/everything/${id}`, "x".repeat(0x4000))).toBe(413);
    });

    it("is refused when it arrives too slowly", async () => {
      expect(await api.putUnended(`/everything/${id}`, "{")).toBe(408);
    });

    it("is refused with 400 when it is no UTF-8, nested too deeply or has a number of 5,000 digits", async () => {
      for (const body of [new Uint8Array([0x22, 0xff, 0x22]), "[".repeat(300), `{"content":${"1".repeat(5000)}}`]) {
        const response = await put(body);
        expect([response.status, await response.json()]).toEqual([
          400,
          { detail: "There was an error parsing the body", code: "body_unreadable" },
        ]);
      }
    });

    it("is refused as JSON when it holds NaN, an infinite number or half a surrogate pair", async () => {
      const faults = [];
      for (const text of ['{"ratio":NaN}', '{"ratio":1e400}', '{"text":"\\ud800"}']) {
        const { detail } = await listed(await put(text));
        faults.push([detail[0]?.type, detail[0]?.loc[1], detail[0]?.ctx?.error]);
      }
      expect(faults).toEqual([
        ["json_invalid", 9, "Expecting value"],
        ["json_invalid", 9, "Expecting value"],
        ["json_invalid", 10, "Invalid \\uXXXX escape"],
      ]);
    });
  });

  describe("a route", () => {
    it("answers both slash forms, and prefers a literal segment to a name", async () => {
      for (const path of ["/documents/newest", "/documents/newest/"]) {
        expect(await (await api.fetch(path)).json()).toBe("newest");
      }
      for (const path of ["/documents/a%2Fb%20c", "/documents/a%2Fb%20c/"]) {
        expect(await (await api.fetch(path)).text()).toBe('{"name": "a/b c", "n": 1.0}');
      }
    });

    it("leaves unknown paths to others", async () => {
      const response = await api.fetch(`/unknown`);
      expect([response.status, await response.text()]).toEqual([404, "not ours"]);
    });

    it("answers 405 with the methods there are, OPTIONS with the same, and HEAD without a body", async () => {
      const wrong = await api.fetch(`/documents/a`, { method: "DELETE" });
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      const options = await api.fetch(`/documents/a`, { method: "OPTIONS" });
      expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
      const head = await api.fetch(`/documents/a`, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "23", ""]);
    });

    it("passes allowed headers on, and answers 304 when the client has it", async () => {
      const first = await api.fetch(`/documents/a`);
      expect([first.headers.get("etag"), first.headers.get("link"), first.headers.get("x-internal")]).toEqual([
        '"v1"',
        '</documents/next>; rel="next"',
        null,
      ]);
      const headers = { "if-none-match": 'W/"v0", W/"v1"' };
      expect((await api.fetch(`/documents/a`, { headers })).status).toBe(304);
    });

    it("compresses what is large", async () => {
      for (const coding of ["gzip", "br"]) {
        const response = await api.fetch(`/documents/large`, {
          headers: { "accept-encoding": coding },
        });
        expect([response.headers.get("content-encoding"), (await response.text()).length]).toEqual([coding, 5002]);
      }
    });

    it("keeps a harmless request id and replaces others, and tells the service", async () => {
      const kept = await put({}, undefined, { "x-request-id": "abc:1.2_3-4" });
      expect(kept.headers.get("x-request-id")).toBe("abc:1.2_3-4");
      expect(api.seen.headers.at(-1)?.get("x-request-id")).toBe("abc:1.2_3-4");
      const minted = await put({}, undefined, { "x-request-id": "a b" });
      expect(minted.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
      expect(api.seen.timeouts.at(-1)).toBeLessThanOrEqual(400);
    });
  });

  describe("a field that is a header", () => {
    const create = (key: string) =>
      api.fetch(`/names/`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: '{"name":"eve"}',
      });

    it("is refused as the header, by its documented name", async () => {
      const { detail } = await listed(await create("far too long"));
      expect(detail).toMatchObject([
        { type: "string_too_long", loc: ["header", "Idempotency-Key"], input: "far too long" },
      ]);
    });

    it("is refused there by the service, too", async () => {
      const answer = await create("used");
      expect([answer.status, (await listed(answer)).detail]).toEqual([
        422,
        [{ type: "name_taken", loc: ["header", "Idempotency-Key"], msg: "The name is taken", input: "used" }],
      ]);
    });

    it("may be left out", async () => {
      const answer = await api.fetch(`/names/`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"name":"eve"}',
      });
      expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, null]);
    });

    it("leads to an answer that says when it was given before", async () => {
      const answer = await create("again");
      expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    });
  });

  describe("a failure of the service", () => {
    it.each([
      ["unauthenticated", 401, { detail: "it is unauthenticated", code: "unauthenticated" }],
      ["denied", 403, { detail: "it is denied", code: "permission_denied" }],
      ["missing", 404, { detail: "Not found" }],
      ["exists", 409, { detail: "it is exists", code: "already_exists" }],
      ["aborted", 409, { detail: "it is aborted", code: "aborted" }],
      ["precondition", 409, { detail: "it is precondition", code: "failed_precondition" }],
      ["exhausted", 429, { detail: "it is exhausted", code: "resource_exhausted" }],
      ["unavailable", 503, { detail: "Temporarily unavailable", code: "unavailable" }],
      ["internal", 500, { detail: "Internal error", code: "internal" }],
      ["unknown", 500, { detail: "Internal error", code: "internal" }],
      ["bug", 500, { detail: "Internal error", code: "internal" }],
      ["unimplemented", 501, { detail: "Not implemented", code: "unimplemented" }],
      ["deadline", 504, { detail: "The answer took too long", code: "deadline_exceeded" }],
      ["slow", 504, { detail: "The answer took too long", code: "deadline_exceeded" }],
    ])("%s is answered with %i", async (kind, status, body) => {
      const response = await fail(kind);
      expect([response.status, await response.json()]).toEqual([status, body]);
    });

    it.each([
      ["precondition", "etag_mismatch", 412],
      ["precondition", "role_in_use", 409],
      ["aborted", "retry_later", 409],
    ])("%s for the reason %s is answered with %i", async (kind, code, status) => {
      const response = await fail(kind, { field: code });
      expect([response.status, await response.json()]).toEqual([status, { detail: `it is ${kind}`, code }]);
    });

    it("names its reason, and says when to come back", async () => {
      const busy = await fail("exhausted", { field: "rate_exceeded" });
      expect([busy.headers.get("retry-after"), await busy.json()]).toEqual([
        "8",
        { detail: "it is exhausted", code: "rate_exceeded" },
      ]);
      expect((await fail("unavailable")).headers.get("retry-after")).toBe("1");
    });

    it.each([
      ["where none was shown", {}, "Bearer"],
      ["and that the one shown is bad", { authorization: "Bearer x" }, 'Bearer error="invalid_token"'],
    ])("of the credential says that a token is wanted, %s", async (_, headers, challenge) => {
      expect((await fail("unauthenticated", {}, headers)).headers.get("www-authenticate")).toBe(challenge);
    });

    it("of a field is an entry where the field stands, with what was there", async () => {
      const entries = [];
      for (const field of ["kind", "items[1].name", "delay", ""]) {
        const { detail } = await listed(await fail("invalid", { field, items: [{ name: "a" }, { name: "b" }] }));
        entries.push([detail[0]?.loc, detail[0]?.input, detail[0]?.type, detail[0]?.msg]);
      }
      expect(entries.slice(0, 3)).toEqual([
        [["path", "kind"], "invalid", "name_taken", "The name is taken"],
        [["body", "items", 1, "name"], "b", "name_taken", "The name is taken"],
        [["body", "delay"], expect.objectContaining({ field: "delay" }), "name_taken", "The name is taken"],
      ]);
    });
  });

  describe("what is prepared before a request is read", () => {
    it("refuses it without waiting for the body", async () => {
      const prepare = () => Promise.reject(new ConnectError("Not authenticated", Code.Unauthenticated));
      await using guarded = await startEverything({ ...surface, prepare });
      const response = await guarded.fetch(`/everything/x`, { method: "PUT", body: "{" });
      expect([response.status, await response.json()]).toEqual([
        401,
        { detail: "Not authenticated", code: "unauthenticated" },
      ]);
    });

    it("gives metadata, and hears once that the request is over", async () => {
      let over = 0;
      const prepare = async () => ({ headers: new Headers({ "x-caller": "me" }), done: () => void over++ });
      await using guarded = await startEverything({ ...surface, prepare });
      await (
        await guarded.fetch(`/everything/${id}`, {
          method: "PUT",
          body: "{}",
          headers: { "content-type": "application/json" },
        })
      ).text();
      expect([guarded.seen.headers[0]?.get("x-caller"), over]).toEqual(["me", 1]);
    });
  });
});
