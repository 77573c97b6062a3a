import { gunzipSync } from "node:zlib";
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractError, createBodyRenderer } from "../src/index.ts";
import { compileProtoFile } from "./compiled-proto.ts";
import { type EverythingApi, startEverything, surfaces } from "./everything-api.ts";

const lines = Array.from({ length: 900 }, (_, line) => `line ${line}`);
const bodyOf = (title: string, text: unknown = { lines }) => JSON.stringify({ title, text, number: 7 });

describe.each(surfaces)("a body that its service renders, over $name", (surface) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything(surface);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const scroll = (title: string, headers: Record<string, string> = {}, method = "GET") =>
    api.fetch(`/scrolls/${title}`, { method, headers: { "accept-encoding": "identity", ...headers } });

  it("is what the transcoder would have written", async () => {
    const [rendered, written] = [await scroll("long"), await scroll("left")];
    expect(await rendered.text()).toBe(bodyOf("long"));
    expect(await written.text()).toBe(bodyOf("left"));
    for (const name of ["content-type", "content-length", "content-encoding", "etag", "vary"])
      expect([name, rendered.headers.get(name)]).toEqual([name, written.headers.get(name)]);
  });

  it.each(["gzip", "br, gzip", "*"])("is compressed by the service for a client that takes %s", async (accepted) => {
    const answer = await scroll("long", { "accept-encoding": accepted });
    expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(bodyOf("long").length / 2);
    expect(await answer.text()).toBe(bodyOf("long"));
  });

  it("is compressed by the transcoder for a client that takes only what the service has not", async () => {
    const answer = await scroll("long", { "accept-encoding": "br" });
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual(["br", bodyOf("long")]);
  });

  it("is left as it is when it is small", async () => {
    const answer = await scroll("short", { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(bodyOf("short", { lines: ["line 0"] }));
  });

  it("has the same headers and no body for HEAD", async () => {
    const accepted = { "accept-encoding": "gzip" };
    const [read, head] = [await scroll("long", accepted), await scroll("long", accepted, "HEAD")];
    for (const name of ["content-length", "content-encoding", "etag"])
      expect(head.headers.get(name)).toBe(read.headers.get(name));
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("is not made for a client that has it", async () => {
    const before = api.seen.scrolls;
    for (const method of ["GET", "HEAD"]) {
      const answer = await scroll("long", { "if-none-match": 'W/"s0", W/"s1"' }, method);
      expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([304, '"s1"', ""]);
    }
    expect(api.seen.scrolls).toBe(before);
  });

  it.each([
    ["too long", `${'"x", '.repeat(300)}"s1"`],
    ["of signs that not every transport takes", '"\u00fc", "s1"'],
  ])("is judged by the transcoder when the tags of the client are %s", async (_, tags) => {
    const before = api.seen.scrolls;
    expect((await scroll("long", { "if-none-match": tags })).status).toBe(304);
    expect(api.seen.scrolls).toBe(before + 1);
    expect(api.seen.headers.at(-1)?.get("transcoder-if-none-match")).toBeNull();
  });
});

describe("a renderer of bodies", async () => {
  const proto = await compileProtoFile("everything.proto");
  const rpc = (name: string) =>
    proto.service("everything.v1.EverythingService").methods.find((method) => method.name === name) as DescMethodUnary;
  const method = rpc("GetScroll");
  const reply = create(method.output) as Message;

  it("leaves the message to callers that do not ask for the body, whatever HTTP's own headers say", async () => {
    const own = new Headers({ "accept-encoding": "gzip", "if-none-match": "*" });
    expect(await createBodyRenderer(method)(reply, own)).toBe(reply);
  });

  it("writes one gzip member", async () => {
    const asked = new Headers({ "transcoder-accept-encoding": "gzip" });
    const scroll = { title: "x".repeat(5_000), text: { utf8: Buffer.from(JSON.stringify(lines)) } };
    const { rendered } = (await createBodyRenderer(method)({ scroll } as never, asked)) as never as {
      rendered: { coding: string; data: Buffer };
    };
    expect([rendered.coding, [...rendered.data.subarray(0, 3)]]).toEqual(["gzip", [0x1f, 0x8b, 8]]);
    expect(JSON.parse(gunzipSync(rendered.data).toString()).text).toEqual(lines);
  });

  it("is not made of an RPC whose route has no rendered_body", () => {
    expect(() => createBodyRenderer(rpc("GetPage"))).toThrow(ContractError);
  });
});
