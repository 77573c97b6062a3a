import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { connect, type LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EgressProxy } from "../src/serving/process-driver/egress-proxy.ts";

let asked = 0;
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    response.end(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "without"}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const start = (allowedNetworks: string[], lookup?: LookupFunction) =>
  EgressProxy.start({ at: { host: "127.0.0.1", port: 0 }, allowedNetworks, ...(lookup && { lookup }) });

/** What comes back over a tunnel: the proxy's refusal, or the server's answer. */
async function throughTunnel(proxy: EgressProxy, host: string): Promise<string> {
  const socket = connect(proxy.port, "127.0.0.1");
  const get = `GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
  socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}:${port}\r\n\r\n${get}`);
  return await text(socket);
}

async function inTheClear(proxy: EgressProxy, host: string): Promise<{ status: number | undefined; body: string }> {
  const path = `http://${host}:${port}/clear?x=1`;
  const headers = { host: `${host}:${port}`, "proxy-authorization": "Basic c2VjcmV0" };
  const sent = httpRequest({ host: "127.0.0.1", port: proxy.port, path, headers, agent: false }).end();
  const [answer] = await once(sent, "response");
  return { status: answer.statusCode, body: await text(answer) };
}

const leadsTo =
  (...addresses: string[]): LookupFunction =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

describe("an address that is not public", () => {
  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback in another spelling", "0x7f.1"],
    ["loopback of version 6", "[::1]"],
    ["loopback in the coat of version 6", "[::ffff:127.0.0.1]"],
    ["a name of this machine", "localhost"],
  ])("is refused, and nothing is sent: %s", async (_, host) => {
    await using proxy = await start([]);
    const before = asked;
    expect(await throughTunnel(proxy, host)).toMatch(/^HTTP\/1\.1 403 Forbidden/);
    expect(await inTheClear(proxy, host)).toMatchObject({ status: 403 });
    expect(asked).toBe(before);
  });

  it("is refused behind a name that also leads to a public one", async () => {
    await using proxy = await start([], leadsTo("203.0.114.1", "127.0.0.1"));
    expect(await throughTunnel(proxy, "both.example")).toMatch(/^HTTP\/1\.1 403 Forbidden/);
  });
});

describe("an address in an allowed network", () => {
  it("is reached through a tunnel and in the clear, by name too", async () => {
    await using proxy = await start(["127.0.0.0/8"], leadsTo("127.0.0.1"));
    for (const host of ["127.0.0.1", "named.example"]) {
      expect(await throughTunnel(proxy, host)).toMatch(/200 Connection Established[\s\S]*GET \/tunnel/);
      expect(await inTheClear(proxy, host)).toEqual({ status: 200, body: "GET /clear?x=1 without" });
    }
  });
});

describe("what is no address", () => {
  it.each(["", "x", ":", "http://x"])("is answered 400: CONNECT %s", async (authority) => {
    await using proxy = await start([]);
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await text(socket).catch(() => "")).not.toMatch(/200 Connection/);
  });
});

describe("a proxy that is closed", () => {
  it("ends its tunnels", async () => {
    const proxy = await start(["127.0.0.0/8"]);
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await once(socket, "data");
    await proxy[Symbol.asyncDispose]();
    expect(await text(socket).catch(() => "")).toBe("");
  });
});
