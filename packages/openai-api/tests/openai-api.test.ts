import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiAnswerTooLargeError, ApiRefusedError, ApiUnavailableError, OpenAiApi } from "../src/index.ts";

type Answer = (response: ServerResponse) => void;

const key = "sk-secret";
const asked: { authorization: string | undefined; effectId: string | string[] | undefined }[] = [];
let answers: Answer[] = [];
let url: string;
const server = createServer((request, response) => {
  asked.push({ authorization: request.headers.authorization, effectId: request.headers["idempotency-key"] });
  request.resume();
  (answers.shift() ?? ((each) => each.writeHead(200).end("ok")))(response);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1/embeddings`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  answers = [];
});

const says =
  (status: number, error?: unknown, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(error === undefined ? "" : JSON.stringify({ error }));

const retry = { minMs: 1, maxMs: 5, maxWantedMs: 10 };
const bounds = { allowedNetworks: ["127.0.0.0/8"], timeoutMs: 2_000, maxBytes: 1_000, retry };

async function post({ maxAttempts = 3, to = url, more = {}, signal = new AbortController().signal } = {}) {
  await using api = new OpenAiApi({ ...bounds, ...more });
  return await api.post({ url: to, key, body: { model: "m" } }, { effectId: "e1", maxAttempts, signal });
}

describe("a service that is busy", () => {
  it("is asked again under the same key until it answers", async () => {
    answers = [says(429), says(503, "queue full", { "retry-after": "86400" })];
    expect(await post()).toBe("ok");
    expect(asked).toEqual(Array(3).fill({ authorization: `Bearer ${key}`, effectId: "e1" }));
  });

  it("is given up after the last attempt, with what it said", async () => {
    answers = [says(503), says(503, { message: "queue full" })];
    const failure = await post({ maxAttempts: 2 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiUnavailableError);
    expect(failure).toMatchObject({ message: "answered 503: queue full", status: 503 });
  });

  it("is not waited for once the signal aborts", async () => {
    const stopping = new AbortController();
    answers = [
      (response) => {
        says(429, undefined, { "retry-after": "60" })(response);
        response.once("close", () => stopping.abort(new Error("stopping")));
      },
    ];
    const more = { retry: { minMs: 60_000, maxMs: 60_000, maxWantedMs: 60_000 } };
    await expect(post({ more, signal: stopping.signal })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });
});

describe("a service that refuses", () => {
  it.each([
    [{ message: `no model for ${key}` }, "answered 400: no model for …"],
    ["no model", "answered 400: no model"],
    [undefined, "answered 400"],
    [7, "answered 400"],
  ])("is asked once, and quoted without the key: %j", async (error, message) => {
    answers = [says(400, error)];
    const failure = await post().catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(ApiRefusedError);
    expect(failure).toMatchObject({ message, status: 400 });
    expect(asked).toHaveLength(1);
  });

  it("is quoted with 500 characters at most", async () => {
    answers = [says(400, "x".repeat(800))];
    await expect(post()).rejects.toMatchObject({ said: "x".repeat(500) });
  });
});

describe("a service", () => {
  it("that may not be reached is sent nothing", async () => {
    const failure = await post({ more: { allowedNetworks: [] } }).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(ApiRefusedError);
    expect([failure, asked.length]).toMatchObject([
      { status: undefined, message: expect.stringContaining("cannot be asked") },
      0,
    ]);
  });

  it("that answers too much is not asked again", async () => {
    answers = [(response) => response.end("x".repeat(2_000))];
    await expect(post()).rejects.toThrow(new ApiAnswerTooLargeError("answered more than 1000 bytes"));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["gives no answer in time", { timeoutMs: 100 }, "gave no complete answer in 100 ms"],
    ["breaks the connection off", {}, "cannot be reached"],
  ])("that %s is asked again", async (_, more, message) => {
    const silent: Answer = (response) => (message === "cannot be reached" ? response.destroy() : undefined);
    answers = [silent, silent];
    const failure = await post({ maxAttempts: 2, more }).catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ name: "ApiUnavailableError", message, status: undefined });
    expect(asked).toHaveLength(2);
  });
});
