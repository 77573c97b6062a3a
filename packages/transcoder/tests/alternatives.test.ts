import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, startEverything, surfaces } from "./everything-api.ts";

const json = "application/json";
const text = "text/plain";

describe.each(surfaces)("an answer that its service renders in another media type, over $name", (surface) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything(surface);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const names = (accept?: string, method = "GET") =>
    api.fetch("/names/?limit=2&cursor=alan", { method, headers: accept === undefined ? {} : { accept } });

  it.each([
    ["no type", undefined, json],
    ["any type", "*/*", json],
    ["JSON alone", json, json],
    ["a type that is none of the answer's", "image/png", json],
    ["it alone", text, text],
    ["it in capitals and with parameters", "Text/Plain;charset=utf-8", text],
    ["it and any type", `${text}, */*`, text],
    ["it above JSON", `${json};q=0.5, ${text}`, text],
    ["it as much as JSON", `${json}, ${text}`, json],
    ["it below JSON", `${text};q=0.9, ${json}`, json],
    ["it with no weight", `${text};q=0, */*`, json],
  ])("is given where Accept names %s: %s", async (_, accept, type) => {
    const answer = await names(accept);
    const body = await answer.text();
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("vary")]).toEqual([
      200,
      type,
      "Accept",
    ]);
    expect(body).toBe(type === json ? '["bob","grace"]' : "bob\ngrace");
    expect(answer.headers.get("link")).toBe('</names/?limit=2&cursor=grace>; rel="next"');
  });

  it("has no body for HEAD, and is not to be guessed at", async () => {
    const answer = await names(text, "HEAD");
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(answer.headers.get("content-length")).toBe(String("bob\ngrace".length));
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is a failure of the service in a type that the contract does not name", async () => {
    expect((await names("text/csv")).status).toBe(500);
  });

  it("is JSON where it fails", async () => {
    const answer = await api.fetch("/names/?cursor=?", { headers: { accept: text } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([422, json]);
  });

  it("is not asked of a service by a header of HTTP that is called so", async () => {
    const answer = await api.fetch("/names/", { headers: { "transcoder-accept": text } });
    expect(answer.headers.get("content-type")).toBe(json);
  });
});
