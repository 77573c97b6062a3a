import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveContract } from "./contract-server.ts";
import { exchange } from "./reference/exchange.ts";
import type { TestServer } from "./test-server.ts";

interface Case {
  operation: number;
  name: string;
  method: string;
  path: string;
  contentType?: string;
  body?: string;
  /** Of the body; default UTF-8. */
  encoding?: BufferEncoding;
  answer: { detail: object[] };
}

async function readCases(file: string): Promise<Case[]> {
  return JSON.parse(await readFile(new URL(`fixtures/${file}`, import.meta.url), "utf8"));
}

/** The members of an entry in the order in which the reference writes them. */
const order = ["type", "loc", "msg", "input", "ctx"];

let server: TestServer;
beforeAll(async () => {
  server = await serveContract();
});
afterAll(async () => server[Symbol.asyncDispose]());

async function answerOf({ name, method, path, contentType, body = "", encoding }: Case): Promise<object> {
  const target = path.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
  const { status, text } = await exchange(server.port, {
    method,
    target,
    contentType,
    body: Buffer.from(body, encoding),
  });
  const answer: Case["answer"] = JSON.parse(text);
  const isOrdered = answer.detail.every(
    (entry) => `${Object.keys(entry)}` === `${order.filter((key) => key in entry)}`,
  );
  return { name, status, body: answer, isOrdered };
}

function expectedOf({ name, answer }: Case): object {
  return { name, status: 422, body: answer, isOrdered: true };
}

describe("a damaged request to an operation of the contract", () => {
  let cases: Case[];
  beforeAll(async () => {
    cases = [...(await readCases("cases.json")), ...(await readCases("deployment-cases.json"))];
  });

  // Operations 10 and 11 have none: the reference takes whatever id, and does not have the other.
  const counts: readonly [string, number, number][] = [
    ["training commands", 1, 160],
    ["external accounts", 2, 47],
    ["custom serving deployments", 3, 794],
    ["workspaces", 4, 251],
    ["roles", 5, 88],
    ["deployments", 6, 42],
    ["data dictionaries", 7, 94],
    ["live metrics", 8, 50],
    ["automations", 9, 8],
    ["feature memory", 12, 9],
  ];

  it.each(counts)("is answered like the reference for %s", async (_what, operation, count) => {
    const known = cases.filter((one) => one.operation === operation);
    expect(known).toHaveLength(count);
    for (const damaged of known) expect(await answerOf(damaged)).toEqual(expectedOf(damaged));
  });

  it("is one of 1,543, none of which is left out", () => {
    expect(cases).toHaveLength(1543);
    expect(counts.reduce((sum, [, , count]) => sum + count, 0)).toBe(1543);
  });
});

const found = await readCases("found-cases.json");

describe("a request that was once answered otherwise than by the reference", () => {
  it.each(found.map((one) => [one.name, one] as const))("is answered like it now: %s", async (_name, damaged) => {
    expect(await answerOf(damaged)).toEqual(expectedOf(damaged));
  });

  it("is answered like it now: a long text is echoed whole", async () => {
    const entry = { name: "a", description: "é".repeat(10_001) };
    const body = Buffer.from(JSON.stringify([entry]));
    const request = { method: "PATCH", target: "/data-dictionary/d/", contentType: "application/json", body };
    const { text } = await exchange(server.port, request);
    expect(JSON.parse(text).detail).toEqual([
      {
        type: "string_too_long",
        loc: ["body", 0, "description"],
        msg: "String should have at most 10000 characters",
        input: entry.description,
        ctx: { max_length: 10_000 },
      },
    ]);
  });

  const long = "k".repeat(4300);
  it.each([
    ["a key of any length", "DELETE", `/feature-memory/${long}/`, ""],
    ["an id of any length", "POST", `/email-drafts/${long}/send/`, ""],
    ["an integer with underscores among its zeros", "GET", "/automations/?limit=0__5", ""],
    ["an integer of 4,300 zeros", "GET", `/automations/?limit=${"0".repeat(4300)}5`, ""],
    ["JSON in UTF-16 without a mark", "PATCH", "/data-dictionary/d/", '[{"name":"é","description":"😀"}]'],
  ])("is let through like there: %s", async (_name, method, target, body) => {
    const bytes = Buffer.from(body, "utf16le");
    const { status, text } = await exchange(server.port, {
      method,
      target,
      contentType: "application/json",
      body: bytes,
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
  });
});
