import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createEdgeServer, stopEdgeServer } from "../src/edge-server.ts";

const large = 32 * 1_048_576;
const answerTimeoutMs = 500;
const request = "GET / HTTP/1.1\r\nHost: g\r\n\r\n";

let server: Server;

beforeAll(async () => {
  const limits = { headersTimeoutMs: 10_000, requestTimeoutMs: 10_000, answerTimeoutMs };
  server = createEdgeServer((_, response) => void response.end(Buffer.alloc(large)), undefined, limits);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => stopEdgeServer(server, 0));

async function ask(): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(request);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe("an answer that nobody takes", () => {
  it("is kept for so long, and not for ever", async () => {
    const socket = await ask();
    await once(server, "request");
    expect(await connections()).toBe(1);
    const startedAt = performance.now();
    while ((await connections()) > 0) await delay(20);
    expect(performance.now() - startedAt).toBeGreaterThan(answerTimeoutMs * 0.9);
    socket.destroy();
  });

  it("is kept for who takes a little of it at a time", async () => {
    const socket = await ask();
    const startedAt = performance.now();
    let taken = 0;
    let some = 0;
    for await (const chunk of socket) {
      taken += chunk.length;
      some += chunk.length;
      if (taken >= large) break;
      if (some < large / 20) continue;
      some = 0;
      await delay(answerTimeoutMs / 10);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(answerTimeoutMs);
    expect(taken).toBeGreaterThanOrEqual(large);
    socket.destroy();
  });
});
