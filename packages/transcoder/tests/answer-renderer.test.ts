import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, forms, listed, startEverything } from "./everything-api.ts";

describe.each(forms)("over $form", ({ form }) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything({ form });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  describe("a document", () => {
    const page = (show: string, headers: Record<string, string> = {}, method = "GET") =>
      api.fetch(`/pages/${show}`, { method, headers });

    it("is written as it is, with the type the service names and the route's status", async () => {
      const answer = await page("plain");
      expect([answer.status, answer.headers.get("content-type")]).toEqual([203, "text/html; charset=utf-8"]);
      expect(await answer.text()).toBe('<p>ü & "</p>');
    });

    it("may do nothing in a browser but be seen, and is never kept", async () => {
      const { headers } = await page("plain");
      expect(
        Object.fromEntries([...headers].filter(([name]) => !["date", "keep-alive", "connection"].includes(name))),
      ).toEqual({
        "content-type": "text/html; charset=utf-8",
        "content-length": "13",
        "x-request-id": expect.any(String),
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy":
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      });
    });

    it("has the service's own status when it names one, and no guessable type when it names none", async () => {
      expect((await page("refused")).status).toBe(410);
      expect((await page("unnamed")).headers.get("content-type")).toBe("application/octet-stream");
    });

    it("is compressed when it is large, and has the same headers without a body for HEAD", async () => {
      const answer = await page("large", { "accept-encoding": "gzip" });
      expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
      expect(await answer.text()).toBe("<p>x</p>".repeat(500));
      const head = await page("large", { "accept-encoding": "gzip" }, "HEAD");
      for (const name of ["content-length", "content-type", "content-security-policy"])
        expect(head.headers.get(name)).toBe(answer.headers.get(name));
      expect(await head.text()).toBe("");
    });

    it("sets each of its cookies by a header of its own", async () => {
      expect((await page("remembered")).headers.getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
    });

    it.each(["missing", "impossible", "smuggled"])("that is %s is an internal error", async (show) => {
      const answer = await page(show);
      expect([answer.status, await answer.json()]).toEqual([500, { detail: "Internal error", code: "internal" }]);
      expect([answer.headers.get("set-cookie"), api.failures.pop()]).toEqual([
        null,
        expect.objectContaining({ message: expect.any(String) }),
      ]);
    });
  });

  describe("a list", () => {
    const names = async (target: string, headers: Record<string, string> = {}) => {
      const answer = await api.fetch(target, { headers });
      return { link: answer.headers.get("link"), names: await answer.json() };
    };

    it("is a bare array with a link to the next page, which leads through all of it", async () => {
      const pages: unknown[] = [];
      for (let target: string | undefined = "/names/?limit=2"; target !== undefined; ) {
        const page = await names(target);
        pages.push(page.names);
        target = /^<(.+)>; rel="next"$/.exec(page.link ?? "")?.[1];
      }
      expect(pages).toEqual([["ada", "alan"], ["bob", "grace"], ["zoë"]]);
    });

    it("has no link on its last page", async () => {
      expect(await names("/names/?limit=5")).toEqual({ link: null, names: ["ada", "alan", "bob", "grace", "zoë"] });
    });

    it("keeps the rest of the query, repeated parameters too, and never names a host", async () => {
      const target = "/names?starts=a&limit=1&cursor=&starts=z";
      const { link } = await names(target, { host: "evil.test", "x-forwarded-host": "evil.test" });
      expect(link).toBe('</names?starts=a&limit=1&starts=z&cursor=ada>; rel="next"');
    });

    it("keeps the service's own links", async () => {
      const { link } = await names("/names/?limit=1&cursor=a");
      expect(link).toBe('</names/help>; rel="help", </names/?limit=1&cursor=ada>; rel="next"');
    });

    it("refuses a cursor that the service cannot read where it stands", async () => {
      const answer = await api.fetch(`/names/?cursor=%3F`);
      const [problem] = (await listed(answer)).detail;
      expect([answer.status, problem]).toEqual([
        422,
        { type: "name_taken", loc: ["query", "cursor"], msg: "The name is taken", input: "?" },
      ]);
    });
  });
});
