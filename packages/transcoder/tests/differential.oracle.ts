import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveContract } from "./contract-server.ts";
import { damagedRequest } from "./reference/damaged-requests.ts";
import { Dice } from "./reference/dice.ts";
import { exchange } from "./reference/exchange.ts";
import { operations } from "./reference/operations.ts";
import { ReferenceProcess } from "./reference/reference-process.ts";
import type { TestServer } from "./test-server.ts";

const requests = Number(process.env["ORACLE_REQUESTS"] ?? 500);
const seed = Number(process.env["ORACLE_SEED"] ?? Date.now() % 1_000_000);

/** What is refused otherwise on purpose: numbers without end, halves of surrogate pairs. */
const refusedOtherwise = /NaN|Infinity|\d{290}|[eE]\+?\d{3}|\\u[dD][89a-fA-F]/;

/** The ASCII characters of a body, which may be in UTF-16 or UTF-32. */
const asciiOf = (body: Buffer) => body.toString("latin1").replaceAll("\0", "");

let server: TestServer;
let reference: ReferenceProcess;
beforeAll(async () => {
  server = await serveContract();
  reference = await ReferenceProcess.start();
}, 300_000);
afterAll(async () => {
  reference[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe(`${requests} damaged requests, from seed ${seed}`, () => {
  it.each(operations.map((operation, index) => [operation.name, operation, index] as const))(
    "are answered like the reference for %s",
    async (_name, operation, index) => {
      const dice = new Dice(seed * 31 + index);
      let compared = 0;
      while (compared < requests) {
        const request = damagedRequest(dice, operation);
        if (refusedOtherwise.test(asciiOf(request.body))) continue;
        const { status, text } = await exchange(server.port, request);
        const { same, ...wanted } = await reference.compare(request, { status, text });
        if (!same) expect({ ...request, body: request.body.toString(), status, answer: text }).toMatchObject(wanted);
        expect(same).toBe(true);
        compared++;
      }
    },
    600_000,
  );
});
