import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";

let gateway: string;
sharedPlatform(({ description }) => {
  gateway = description.gateway;
});

const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, gateway), init);

describe("the interactive reference at /docs", () => {
  it("is a page that needs no credential and may load from this gateway alone", async () => {
    const response = await get("/docs");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it("names only what this gateway serves, with the media types that browsers insist on", async () => {
    const html = await (await get("/docs")).text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target = ""]) => target);
    const loaded = named.filter((target) => !target.startsWith("data:"));
    expect(loaded.every((target) => target.startsWith("/docs/"))).toBe(true);
    const types = await Promise.all(
      loaded.map(async (target) => {
        const response = await get(target);
        await response.arrayBuffer();
        return [response.status, response.headers.get("content-type")?.split(";")[0]];
      }),
    );
    expect(types).toEqual([
      [200, "text/css"],
      [200, "text/javascript"],
      [200, "text/javascript"],
    ]);
  });

  it("has no inline script or style, which its policy would refuse", async () => {
    const html = await (await get("/docs")).text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=| on[a-z]+=/);
  });

  it("is sent once to a browser that has it", async () => {
    const first = await get("/docs/swagger-ui-bundle.js");
    await first.arrayBuffer();
    const again = await get("/docs/swagger-ui-bundle.js", {
      // Without the second, fetch asks for an answer past every cache.
      headers: { "if-none-match": first.headers.get("etag") ?? "", "cache-control": "max-age=0" },
    });
    expect(again.status).toBe(304);
  });

  it("answers 404 for anything else below it", async () => {
    expect((await get("/docs/package.json")).status).toBe(404);
    expect((await get("/docs/..%2fpackage.json")).status).toBe(404);
  });
});
