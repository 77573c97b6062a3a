import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, forms, listed, startEverything } from "./everything-api.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

describe.each(forms)("over $form", ({ form }) => {
  let strict: EverythingApi;
  let lenient: EverythingApi;

  beforeAll(async () => {
    strict = await startEverything({ form, strict: () => true });
    lenient = await startEverything({ form });
  });
  afterAll(async () => {
    await strict[Symbol.asyncDispose]();
    await lenient[Symbol.asyncDispose]();
  });

  function send(api: EverythingApi, method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return api.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  const put = (api: EverythingApi, body: unknown) => send(api, "PUT", `/everything/${id}`, body);

  describe("a misspelt field, which was ignored without a word", () => {
    const body = {
      txt: "x",
      child: { smal: 1 },
      children: [{ at: "2026-01-01T00:00:00Z", a: null }],
      settings: { any: 1 },
    };

    it("is refused where it stands, with the names there are and without its value, but not in free-form JSON", async () => {
      const response = await put(strict, body);
      const { detail } = await listed(response);
      expect([response.status, detail.map(({ type, loc, input }) => [type, loc.join("."), input])]).toEqual([
        422,
        [
          ["extra_forbidden", "body.child.smal", undefined],
          ["extra_forbidden", "body.children.0.a", undefined],
          ["extra_forbidden", "body.txt", undefined],
        ],
      ]);
      expect(detail[0]?.msg).toMatch(/^Extra inputs are not permitted: known are 'text', 'maybe_text', 'small', /);
    });

    it("is ignored where operations are lenient", async () => {
      expect((await put(lenient, body)).status).toBe(200);
    });

    it.each(["GET /names/?limt=1", "GET /names/?limit=1&limt=", "DELETE /names/ada?dry_run=true"])(
      "is refused as a parameter: %s",
      async (line) => {
        const [method = "", path = ""] = line.split(" ");
        const response = await send(strict, method, path);
        const { detail } = await listed(response);
        expect([response.status, detail.map(({ type, loc: [where] }) => [type, where])]).toEqual([
          422,
          [["extra_forbidden", "query"]],
        ]);
        expect((await send(lenient, method, path)).status).toBeLessThan(300);
      },
    );

    it("is listed a hundred times at most", async () => {
      const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
      expect((await listed(await put(strict, many))).detail).toHaveLength(101);
    });
  });

  describe("a date-time without a zone, which was taken as UTC", () => {
    it.each(["2026-01-01T10:00:00", "2026-01-01 10:00", "2026-01-01"])(
      "is refused where operations are strict: %s",
      async (at) => {
        const { detail } = await listed(await put(strict, { at }));
        expect(detail).toMatchObject([{ type: "timezone_aware", loc: ["body", "at"], input: at }]);
        expect((await put(lenient, { at })).status).toBe(200);
      },
    );

    it.each(["2026-01-01T10:00:00Z", "2026-01-01T10:00:00+02:00", 1_767_261_600, "1767261600"])(
      "is taken with one, and as seconds since 1970: %s",
      async (at) => {
        expect((await put(strict, { at })).status).toBe(200);
      },
    );
  });

  describe("a body whose fault was not said", () => {
    const send = (api: EverythingApi, body: string | Uint8Array, headers: Record<string, string> = {}) =>
      api.fetch(`/everything/${id}`, { method: "PUT", headers, body });
    const json = { "content-type": "application/json" };
    const latin1 = Buffer.from('{"text":"Grüße"}', "latin1");
    // A typed array, for which fetch sends no content type.
    const untyped = Buffer.from('{"text":"x"}');

    it.each([
      ["without a content type", untyped, {}, 415, "Content-Type is missing: send the body as application/json"],
      [
        "of another type",
        untyped,
        { "content-type": "text/plain" },
        415,
        "Content-Type is not JSON: send the body as application/json",
      ],
      ["in Latin-1", latin1, json, 400, "The body is not UTF-8: send JSON in UTF-8"],
    ])(
      "%s says it in the error where operations are strict, and in a header elsewhere",
      async (_, body, headers, status, says) => {
        const refused = await send(strict, body, headers);
        expect([refused.status, await refused.json()]).toEqual([status, expect.objectContaining({ detail: says })]);
        const other = await send(lenient, body, headers);
        expect([other.status, other.headers.get("x-error-hint")]).toEqual([status === 415 ? 422 : 400, says]);
      },
    );

    it("needs no hint where its type is right", async () => {
      const response = await send(lenient, '{"text":1}', json);
      expect([response.status, response.headers.get("x-error-hint")]).toEqual([422, null]);
    });
  });
});
