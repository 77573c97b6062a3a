import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, listed, startEverything, surfaces } from "./everything-api.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
describe.each(surfaces)("over $name", (surface) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything({ ...surface, limits: { bodyBytes: 10_000 } });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return api.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function answerOf(method: string, path: string, body?: unknown): Promise<[number, unknown]> {
    const answer = await send(method, path, body);
    return [answer.status, await answer.json()];
  }

  const change = { aliases: [], renamed: "bea" };
  const changed = { name: "ada", position: 3, dry_run: false, moods: [], aliases: [], renamed: "bea", moved: null };

  describe("every kind of field", () => {
    it("comes back as it was sent", async () => {
      const child = { text: "below", small: -5, limit: 1, colour: "red" };
      const sent = {
        text: "ü \u{1F600} \u0000",
        maybe_text: "",
        small: 99,
        count: 4294967295,
        big: -9007199254740991,
        huge: 9007199254740991,
        ratio: 1.7976931348623157e308,
        rough: 0.10000000149011612,
        flag: true,
        maybe_flag: false,
        blob: "AP/+",
        colour: "deep_blue",
        maybe_colour: "red",
        at: "9999-12-31T23:59:59.999Z",
        settings: { a: { __proto__: 1 } },
        content: [null],
        tags: ["", "a"],
        colours: ["red", "red"],
        metrics: { "": -0.5, ["__proto__"]: 5e-324, "1": 1 },
        child,
        children: [child, {}],
        number: 0,
        limit: -1,
        document: { rendered: [1] },
        key: id,
        mood: "VeryGlad",
        palette: { "-7": "red", "2147483647": "deep_blue" },
      };
      const [status, answer] = await answerOf("PUT", `/everything/${id}`, sent);
      expect([status, answer]).toMatchObject([
        200,
        { ...sent, name: null, children: [child, { text: "", limit: 10 }] },
      ]);
      expect(Object.keys(Object(answer).metrics)).toEqual(["1", "", "__proto__"]);
    });

    it.each([
      ["an enum in its other form", { mood: "VERY_GLAD" }, ["body", "mood"], "enum"],
      ["the value that stands for none", { colour: "unspecified" }, ["body", "colour"], "enum"],
      ["a number for an enum", { colour: 1 }, ["body", "colour"], "enum"],
      ["a key that is no integer", { palette: { x: "red" } }, ["body", "palette", "x", "[key]"], "int_parsing"],
      ["bytes that are no base64", { blob: "*" }, ["body", "blob"], "base64_decode"],
      ["null for a list", { tags: null }, ["body", "tags"], "list_type"],
      ["a hidden field, which is none", { secret: 1, text: 1 }, ["body", "text"], "string_type"],
    ])("is refused where it stands: %s", async (_what, body, loc, type) => {
      const { detail } = await listed(await send("PUT", `/everything/${id}`, body));
      expect(detail.map((entry) => [entry.loc, entry.type])).toEqual([[loc, type]]);
    });
  });

  describe("a path", () => {
    it.each([
      ["a text, decoded once", "/names/a%252Fb%20%C3%BC", "a%2Fb ü"],
      ["a text of dots and signs", "/names/..%3B;x=1", "..;;x=1"],
    ])("holds %s", async (_what, path, name) => {
      expect(await answerOf("DELETE", path)).toMatchObject([202, { name }]);
    });

    it("holds an integer, in every spelling", async () => {
      for (const position of ["3", "+3", "%203%20", "0003", "3.0"])
        expect(await answerOf("PATCH", `/names/ada/${position}`, change)).toEqual([200, changed]);
      const { detail } = await listed(await send("PATCH", "/names/ada/-1", change));
      expect(detail).toMatchObject([{ type: "greater_than_equal", loc: ["path", "position"], input: "-1" }]);
    });
  });

  describe("a query", () => {
    it("holds fields that `query` names beside a body, once or repeated, in any order", async () => {
      const target = "/names/ada/3?moods=Sad&dry_run=0&moods=VeryGlad&dry_run=YES&unknown=1";
      expect(await answerOf("PATCH", target, { ...change, dry_run: false })).toEqual([
        200,
        { ...changed, dry_run: true, moods: ["Sad", "VeryGlad"] },
      ]);
    });

    it("has no fields of the body, and the body none of its", async () => {
      const { detail } = await listed(await send("PATCH", "/names/ada/3?aliases=a&renamed=b", { moods: ["Sad"] }));
      expect(detail.map((entry) => [entry.loc, entry.type])).toEqual([
        [["body", "aliases"], "missing"],
        [["body"], "value_error"],
      ]);
    });

    it("is refused item by item", async () => {
      const { detail } = await listed(await send("PATCH", "/names/ada/3?moods=Sad&moods=sad&dry_run=maybe", change));
      expect(detail.map((entry) => [entry.loc, entry.type])).toEqual([
        [["query", "dry_run"], "bool_parsing"],
        [["query", "moods", 1], "enum"],
      ]);
    });
  });

  describe("a list as body", () => {
    it("goes both ways", async () => {
      expect(await answerOf("PUT", "/names/", ["b", "a"])).toEqual([200, ["b", "a"]]);
      expect(await answerOf("PUT", "/names/", [])).toEqual([200, []]);
    });

    it.each([
      ["no list", {}, ["body"], "list_type"],
      ["an item of another type", ["a", 1], ["body", 1], "string_type"],
      ["too many", ["a", "b", "c", "d"], ["body"], "too_long"],
      ["one twice", ["a", "a"], ["body"], "value_error"],
    ])("is refused where it is wrong: %s", async (_what, body, loc, type) => {
      const { detail } = await listed(await send("PUT", "/names/", body));
      expect(detail.map((entry) => [entry.loc, entry.type])).toEqual([[loc, type]]);
    });
  });

  describe("a body of brotli", () => {
    it("is refused when it is too large once it is decompressed", async () => {
      const body = new Uint8Array(brotliCompressSync(Buffer.alloc(1_000_000, 32)));
      const headers = { "content-type": "application/json", "content-encoding": "br" };
      const answer = await api.fetch(`/names/`, { method: "PUT", headers, body });
      expect([body.length < 1000, answer.status]).toEqual([true, 413]);
    });
  });

  describe("an RPC that answers nothing yet", () => {
    it("is cancelled when its client goes", async () => {
      const client = new AbortController();
      const answer = api.fetch(`/failures/slow`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
        signal: client.signal,
      });
      while (api.seen.waiting === 0) await wait(5);
      client.abort();
      await expect(answer).rejects.toThrow("aborted");
      while (api.seen.cancelled === 0) await wait(5);
      expect([api.seen.cancelled, api.failures]).toEqual([1, []]);
    });
  });

  describe("a rule that only the service checks", () => {
    it("is an entry like those found here", async () => {
      const body = { field: "items", items: [{ name: "a" }], delay: "soon" };
      const { detail } = await listed(await send("POST", "/failures/violating", body));
      expect(detail).toEqual([
        { type: "value_error", loc: ["body", "items", "items", 1], msg: "must be an address", input: [{ name: "a" }] },
        { type: "missing", loc: ["body", "delay"], msg: "Field required", input: "soon" },
      ]);
    });
  });
});
