import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createEdgeServer, type EdgeLimits, type EdgeServer, stopEdgeServer } from "../src/edge/server.ts";

const large = 32 * 1_048_576;
const responseTimeoutMs = 1_500;

const cleanUp = new AsyncDisposableStack();
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => cleanUp.disposeAsync());

async function serve(limits: Partial<EdgeLimits>, listener: RequestListener): Promise<EdgeServer> {
  const server = cleanUp.adopt(createEdgeServer(listener, { limits }), (one) => stopEdgeServer(one, 0));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function open(server: Server): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  sockets.add(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function ask(server: Server, path = "/"): Promise<Socket> {
  const socket = await open(server);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\n\r\n`);
  return socket;
}

const connections = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function untilAllAreOver(server: Server): Promise<void> {
  while ((await connections(server)) > 0) await delay(20);
}

describe("a request whose body takes longer than requests may", () => {
  const upload = async (path: string): Promise<string> => {
    const server = cleanUp.adopt(
      createEdgeServer(
        (request, response) =>
          void request
            .on("data", () => {})
            .on("error", () => {})
            .on("end", () => response.end("taken")),
        { limits: { requestTimeoutMs: 300, headersTimeoutMs: 300 }, passesOnBody: ({ url }) => url === "/lasts" },
      ),
      (one) => stopEdgeServer(one, 0),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = await open(server);
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk));
    socket.write(`PUT ${path} HTTP/1.1\r\nHost: g\r\nContent-Length: 12\r\n\r\n`);
    for (let sent = 0; sent < 12 && !socket.destroyed; sent++) {
      socket.write("x");
      await delay(100);
    }
    await expect.poll(() => answer).not.toBe("");
    return answer;
  };

  it("is refused", async () => {
    expect(await upload("/")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("is taken where bodies last as long as their clients send", async () => {
    expect(await upload("/lasts")).toMatch(/^HTTP\/1\.1 200 (?:.|\s)*taken$/);
  });
});

describe("an answer that waits for its client", () => {
  let server: Server;
  let streams = 0;
  beforeAll(async () => {
    const limits = { responseTimeoutMs, minResponseBytesPerSecond: 1_048_576 };
    server = await serve(limits, async (request, response) => {
      if (request.url === "/") return void response.end(Buffer.alloc(large));
      streams += 1;
      response.once("close", () => {
        streams -= 1;
      });
      const event = `data: ${"x".repeat(65_536)}\n\n`;
      const signal = AbortSignal.timeout(60_000);
      while (!response.destroyed) if (!response.write(event)) await once(response, "drain", { signal }).catch(() => {});
    });
  });

  it("is kept for so long, and not for ever", async () => {
    const begun = once(server, "request");
    await ask(server);
    await begun;
    expect(await connections(server)).toBe(1);
    const startedAt = performance.now();
    await untilAllAreOver(server);
    expect(performance.now() - startedAt).toBeGreaterThan(responseTimeoutMs * 0.9);
  });

  it("is kept for who takes it fast enough, a little at a time", async () => {
    const socket = await ask(server);
    const startedAt = performance.now();
    let taken = 0;
    let some = 0;
    for await (const chunk of socket) {
      taken += chunk.length;
      some += chunk.length;
      if (taken >= large) break;
      if (some < large / 20) continue;
      some = 0;
      await delay(responseTimeoutMs / 10);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(responseTimeoutMs);
    expect(taken).toBeGreaterThanOrEqual(large);
  });

  it("is not kept for who takes some of it all the time, but too slowly", async () => {
    const socket = await ask(server);
    let taken = 0;
    for await (const chunk of socket) {
      taken += chunk.length;
      // At most 128 KiB a second, an eighth of the least rate.
      await delay((chunk.length / 131_072) * 1_000);
      if ((await connections(server)) === 0) break;
    }
    expect(taken).toBeLessThan(large);
    await untilAllAreOver(server);
  });

  it("is not kept for who takes nothing of a stream", async () => {
    const readers = await Promise.all(Array.from({ length: 20 }, () => ask(server, "/stream")));
    for (const reader of readers) reader.pause();
    await untilAllAreOver(server);
    // The response hears of it a moment after the server.
    while (streams > 0) await delay(5);
  });

  it("is kept for who reads a stream", async () => {
    const socket = await ask(server, "/stream");
    const endsAt = performance.now() + 4 * responseTimeoutMs;
    for await (const _ of socket) if (performance.now() > endsAt) break;
    expect(performance.now()).toBeGreaterThan(endsAt);
  });
});

describe("a connection on which nothing was ever sent", () => {
  const headersTimeoutMs = 300;
  const keepAliveTimeoutMs = 2_000;
  let server: Server;
  beforeAll(async () => {
    server = await serve({ headersTimeoutMs, keepAliveTimeoutMs }, (_, response) => void response.end("answered"));
  });

  /** When it is as old as a request's headers may become. */
  async function openedInAdvance(): Promise<Socket> {
    const openedAt = performance.now();
    const socket = await open(server);
    while (performance.now() - openedAt < 2 * headersTimeoutMs) await delay(20);
    return socket;
  }

  it("may be used later than the headers of a request may take", async () => {
    const socket = await openedInAdvance();
    socket.write("GET / HTTP/1.1\r\nHost: g\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("gives the headers of its first request their time, and no more", async () => {
    const socket = await openedInAdvance();
    const startedAt = performance.now();
    socket.write("GET / HTTP/1.1\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startedAt).toBeGreaterThan(headersTimeoutMs * 0.9);
  });

  it("is closed without a word after the time that connections are kept", async () => {
    const startedAt = performance.now();
    const socket = await open(server);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    await once(socket, "close");
    expect(received).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(keepAliveTimeoutMs * 0.9);
  });

  it("does not hold up a stop", async () => {
    const stopping = await serve({}, (_, response) => void response.end());
    const socket = await open(stopping);
    const closed = once(socket.resume(), "close");
    await stopEdgeServer(stopping, 60_000);
    await closed;
  });
});
