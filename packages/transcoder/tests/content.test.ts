import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EverythingApi, startEverything, surfaces } from "./everything-api.ts";
import { fileText } from "./everything-service.ts";

describe.each(surfaces)("bytes that a service streams, over $name", (surface) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything(surface);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const file = (name: string, headers: Record<string, string> = {}, method = "GET") =>
    api.fetch(`/files/${name}`, { method, headers });

  it("are answered as they are, and never as a page", async () => {
    const answer = await file("plain", { "accept-encoding": "gzip" });
    expect([answer.status, await answer.text()]).toEqual([200, fileText]);
    const digest = createHash("sha256").update(fileText).digest("base64");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": String(fileText.length),
      "content-disposition": 'attachment; filename="a__plain_.txt"',
      "accept-ranges": "bytes",
      etag: '"f1"',
      "repr-digest": `sha-256=:${digest}:`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(answer.headers.get("content-encoding")).toBeNull();
  });

  it("may be none", async () => {
    const answer = await file("empty");
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "0", ""]);
  });

  it.each([
    ["bytes=4-6", "two", "bytes 4-6/13"],
    ["bytes=8-", "three", "bytes 8-12/13"],
    ["bytes=-5", "three", "bytes 8-12/13"],
    ["bytes=0-", fileText, "bytes 0-12/13"],
  ])("are answered in part for %s, with the digest of all", async (range, text, contentRange) => {
    const answer = await file("plain", { range });
    expect([answer.status, answer.headers.get("content-range"), await answer.text()]).toEqual([
      206,
      contentRange,
      text,
    ]);
    expect(answer.headers.get("repr-digest")).toBe((await file("plain", {}, "HEAD")).headers.get("repr-digest"));
  });

  it("are refused behind their end, which the answer names", async () => {
    const answer = await file("plain", { range: "bytes=13-" });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */13"]);
    expect(JSON.parse(await answer.text()).code).toBe("range_not_satisfiable");
  });

  it("are answered whole when they are others than the reader has begun with", async () => {
    const answer = await file("plain", { range: "bytes=4-", "if-range": '"f0"' });
    expect([answer.status, await answer.text()]).toEqual([200, fileText]);
  });

  it("are not sent to a reader that has them", async () => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await file("plain", { "if-none-match": '"f0", "f1"' }, method);
      expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([304, '"f1"', ""]);
    }
  });

  it("have the same headers and no body for HEAD", async () => {
    const [read, head] = [await file("plain"), await file("plain", {}, "HEAD")];
    const names = ["content-length", "content-type", "etag", "repr-digest"];
    expect(names.map((name) => head.headers.get(name))).toEqual(names.map((name) => read.headers.get(name)));
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("are refused as any operation refuses", async () => {
    const answer = await file("missing");
    expect([answer.status, await answer.text()]).toEqual([404, '{"detail":"Not found"}']);
  });

  it("without a head are a failure of the service", async () => {
    expect((await file("headless")).status).toBe(500);
    expect(api.failures.at(-1)).toMatchObject({ name: "UnfitContentError" });
  });

  it("may have one of the types that their contract names, and no other", async () => {
    const picture = (type: string) => api.fetch(`/pictures/${encodeURIComponent(type)}`);
    const answer = await picture("image/png");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png; charset=utf-8"]);
    expect((await picture("text/html")).status).toBe(500);
    expect(api.failures.at(-1)).toMatchObject({ name: "UnfitContentError" });
  });

  it.each(["broken", "short", "long"])(
    "that are %s are broken off, so that no reader takes them for all",
    async (name) => {
      const failures = api.failures.length;
      const answer = await file(name);
      expect(answer.status).toBe(200);
      if (name !== "long") await expect(answer.arrayBuffer()).rejects.toThrow();
      await vi.waitFor(() => expect(api.failures).toHaveLength(failures + 1));
    },
  );

  it("are read no faster than their reader takes them, and no further once it has gone", async () => {
    const [before, read] = [api.seen.streamsEnded, api.seen.ticks];
    const reader = (await file("endless")).body?.getReader();
    await reader?.read();
    // What sockets and buffers hold on the way is some megabytes; the whole would be a terabyte.
    expect((api.seen.ticks - read) * 65_536).toBeLessThan(64 * 1024 * 1024);
    await reader?.cancel();
    await vi.waitFor(() => expect(api.seen.streamsEnded).toBe(before + 1));
  });
});
