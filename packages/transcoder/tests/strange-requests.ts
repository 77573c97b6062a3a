import { brotliCompressSync, gzipSync } from "node:zlib";
import { damagedRequest, type Operation, type WireRequest } from "./reference/damaged-requests.ts";
import { anyText } from "./reference/damaged-values.ts";
import type { Dice } from "./reference/dice.ts";
import { exchange } from "./reference/exchange.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/** Operations of the test service that answer at once, whatever they are asked. */
const operations: readonly Operation[] = [
  {
    name: "echo",
    method: "PUT",
    path: "/everything/{id:uuid}",
    query: { page: "1", only: "red" },
    body: {
      text: "a",
      small: 1,
      huge: 9007199254740991,
      ratio: 0.5,
      flag: true,
      blob: "AAAA",
      colour: "red",
      at: "2026-01-01T00:00:00Z",
      settings: { a: [1, { b: null }] },
      content: [1, "x"],
      tags: ["a"],
      metrics: { loss: 0.1 },
      child: { text: "b", children: [{ mood: "Sad" }] },
      palette: { "1": "red" },
      key: id,
    },
  },
  { name: "replace", method: "PUT", path: "/names/", query: {}, body: ["a", "b"] },
  {
    name: "change",
    method: "PATCH",
    path: "/names/{name}/{position}",
    query: { dry_run: "true", moods: "Sad" },
    body: { aliases: ["x"], renamed: "y" },
  },
  { name: "list", method: "GET", path: "/names/", query: { limit: "2", cursor: "a", starts: "b" } },
  { name: "remove", method: "DELETE", path: "/names/{name}", query: {} },
  { name: "document", method: "GET", path: "/documents/{name}/", query: {} },
];

/** A request that no client would send: damaged, cut, padded, or made of nothing but bytes. */
export function strangeRequest(dice: Dice): WireRequest {
  const request = damagedRequest(dice, dice.of(operations));
  const method = dice.chance(0.05) ? dice.of(["POST", "HEAD", "OPTIONS", "TRACE", "QUERY"]) : request.method;
  const target = dice.chance(0.2) ? strangeTarget(dice, request.target) : request.target;
  const body = dice.chance(0.4) ? strangeBody(dice, request.body) : request.body;
  const encoding = dice.chance(0.05)
    ? dice.of(["gzip", "br", "identity", "deflate", "GZIP", "gzip, br", ""])
    : undefined;
  const packed = encoding === "gzip" ? gzipSync(body) : encoding === "br" ? brotliCompressSync(body) : body;
  const headers = {
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    ...(dice.chance(0.1)
      ? { accept: dice.of(["application/problem+json", "*/*;q=x", "text/event-stream", ",;="]) }
      : {}),
    ...(dice.chance(0.1) ? { "x-request-id": encodeURIComponent(anyText(dice)).slice(0, 300) } : {}),
    ...(dice.chance(0.1) ? { "x-mode": encodeURIComponent(anyText(dice)).slice(0, 300) } : {}),
    ...(dice.chance(0.05) ? { "if-none-match": dice.of(["*", '"v1"', "W/", ",,", '"'.repeat(200)]) } : {}),
  };
  return { ...request, method, target, body: dice.chance(0.5) ? packed : body, headers };
}

function strangeTarget(dice: Dice, target: string): string {
  const at = dice.below(target.length + 1);
  const strange = dice.of([
    "/",
    "//",
    "/../",
    "/./",
    ";x=1",
    "%2f",
    "%5c",
    "%00",
    "%",
    "%zz",
    "%ff%fe",
    "?",
    "&",
    "=",
    "#",
    "*",
    "\\",
    "{",
    "}",
    ":",
  ]);
  const longer = target.slice(0, at) + strange.repeat(dice.of([1, 1, 1, 50])) + target.slice(at);
  return dice.chance(0.1) ? `/${"a/".repeat(dice.below(2000))}` : longer;
}

function strangeBody(dice: Dice, body: Buffer): Buffer {
  const at = dice.below(body.length + 1);
  const noise = Buffer.from(Array.from({ length: 1 + dice.below(40) }, () => dice.below(256)));
  return dice.of([
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), noise, body.subarray(at)]),
    () => Buffer.concat([body.subarray(0, at), noise, body.subarray(at + noise.length)]),
    () => noise,
    () => Buffer.from("[".repeat(dice.of([255, 257, 20_000]))),
    () => Buffer.from(`{"a":`.repeat(300)),
    () => Buffer.from(`[${'{"text":1},'.repeat(5000)}1]`),
    () => Buffer.from(`{"children":[${Array.from({ length: 3000 }, () => '{"small":"x"}').join()}]}`),
    () => Buffer.from(`{${Array.from({ length: 5000 }, (_, key) => `"k${key}":${key}`).join()}}`),
    () => Buffer.from(`{"text":"${"\\u0000".repeat(5000)}"}`),
    () => Buffer.from(`{"content":${"9".repeat(dice.of([4300, 4301, 50_000]))}}`),
    () => Buffer.from(`"${"\\".repeat(30_000)}`),
  ])();
}

/** Milliseconds and bytes that no answer may exceed, on a slow and busy machine. */
const bounds = { ms: 10_000, bytes: 300 * 1024 };

/** What is wrong with the answer to a strange request; undefined when nothing is. */
export async function faultOfAnswer(port: number, request: WireRequest): Promise<string | undefined> {
  const started = performance.now();
  const { status, text } = await exchange(port, request);
  const took = performance.now() - started;
  if (status >= 500) return `status ${status}: ${text}`;
  if (took > bounds.ms) return `it took ${Math.round(took)} ms`;
  if (Buffer.byteLength(text) > bounds.bytes) return `${Buffer.byteLength(text)} bytes`;
  return undefined;
}
