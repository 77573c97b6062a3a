import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { eventually, listenOnLoopback } from "@aiplatform/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createEdgeServer, type EdgeOptions, type EdgeServer, stopEdgeServer } from "../src/edge/server.ts";

let cleanUp = new AsyncDisposableStack();
afterEach(async () => {
  await cleanUp.disposeAsync();
  cleanUp = new AsyncDisposableStack();
});

interface Edge {
  readonly server: EdgeServer;
  readonly port: number;
  readonly session: ClientHttp2Session;
}

async function serve(listener: RequestListener, limits: EdgeOptions["limits"] = {}): Promise<Edge> {
  const server = cleanUp.adopt(createEdgeServer(listener, { limits }), (one) => stopEdgeServer(one, 0));
  const port = await listenOnLoopback(server);
  const session = cleanUp.adopt(connect(`http://127.0.0.1:${port}`), (one) => one.destroy());
  session.on("error", () => {});
  await once(session, "connect");
  return { server, port, session };
}

async function statusOf(stream: ClientHttp2Stream): Promise<unknown> {
  const [headers] = await once(stream, "response");
  return headers[":status"];
}

const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method, url, host: headers.host, cookie: headers.cookie, body }));
};

describe("a client that begins with HTTP/2", () => {
  it("is answered like one of HTTP/1.1, with the same headers on the answer", async () => {
    const { session, port } = await serve(echo);
    const stream = session.request({ ":method": "POST", ":path": "/a?b=c", cookie: ["a=1", "b=2"] });
    stream.end("said");
    const [headers] = await once(stream, "response");
    expect(headers).toMatchObject({ ":status": 200, "x-content-type-options": "nosniff" });
    expect(headers["x-request-id"]).toMatch(/./);
    expect(headers["connection"]).toBeUndefined();
    expect(JSON.parse(await text(stream))).toEqual({
      ...{ method: "POST", url: "/a?b=c", body: "said" },
      ...{ host: `127.0.0.1:${port}`, cookie: "a=1; b=2" },
    });
  });

  it("is refused what HTTP/1.1 would be: headers that are too many or too large", async () => {
    const { session } = await serve(echo);
    expect(await statusOf(session.request({ ":path": "/", "x-large": "x".repeat(17_000) }))).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`x-${i}`, "1"]));
    expect(await statusOf(session.request({ ":path": "/", ...many }))).toBe(200);
    expect(await statusOf(session.request({ ":path": "/a#b" }))).toBe(400);
  });

  it("ends its connection with GOAWAY when it opens streams and resets them again and again", async () => {
    let asked = 0;
    const { session } = await serve(() => {
      asked += 1;
    });
    const told = once(session, "goaway");
    await eventually(() => {
      for (let i = 0; i < 50 && !session.closed && !session.destroyed; i += 1) {
        session
          .request({ ":path": "/" })
          .on("error", () => {})
          .close(constants.NGHTTP2_CANCEL);
      }
      return session.closed || session.destroyed;
    }, "the connection to end");
    const [code] = await told;
    expect(code).not.toBe(constants.NGHTTP2_NO_ERROR);
    expect(asked).toBeLessThan(5_000);
  });

  it("loses a stream that it does not read, and keeps its connection", async () => {
    const limits = { responseTimeoutMs: 500, minResponseBytesPerSecond: 1_048_576 };
    const { session } = await serve((request, response) => {
      response.end(request.url === "/large" ? Buffer.alloc(8 * 1_048_576) : "short");
    }, limits);
    const stream = session.request({ ":path": "/large" }).on("error", () => {});
    expect(await statusOf(stream)).toBe(200);
    await eventually(() => stream.closed, "the stream to end");
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(await text(session.request({ ":path": "/" }))).toBe("short");
  });

  it("loses a connection on which it asks nothing", async () => {
    const { session } = await serve(echo, { keepAliveTimeoutMs: 300 });
    const told = once(session, "goaway");
    await once(session, "close");
    expect((await told)[0]).toBe(constants.NGHTTP2_NO_ERROR);
  });

  it("gets the answer it waits for when the gateway stops, and opens no further streams there", async () => {
    let finish = () => {};
    const { server, session } = await serve((_request, response) => {
      finish = () => response.end("the end");
      response.flushHeaders();
    });
    const stream = session.request({ ":path": "/" });
    expect(await statusOf(stream)).toBe(200);
    const told = once(session, "goaway");
    const stopped = stopEdgeServer(server, 10_000);
    await told;
    finish();
    expect(await text(stream)).toBe("the end");
    await stopped;
  });
});

describe("a connection whose first bytes come one by one", () => {
  it.each([
    ["PUT / HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 200 /],
    ["PROPFIND / HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 200 /],
  ])("is read as what it turns out to be: %j", async (said, answer) => {
    const { port } = await serve(echo);
    const socket = connectSocket(port, "127.0.0.1").setNoDelay();
    cleanUp.defer(() => void socket.destroy());
    for (const byte of said) await new Promise<void>((sent) => socket.write(byte, () => sent()));
    expect(await text(socket)).toMatch(answer);
  });

  it("ends when it stops before its protocol can be told", async () => {
    const { port } = await serve(echo, { headersTimeoutMs: 200 });
    const socket = connectSocket(port, "127.0.0.1");
    cleanUp.defer(() => void socket.destroy());
    socket.on("error", () => {}).write("PRI * HT");
    expect(await text(socket)).toBe("");
  });
});
