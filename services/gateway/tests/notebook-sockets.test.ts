import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import {
  type BareHub,
  exchangeRaw,
  headerOf,
  hubToken,
  type ProxyRig,
  rawRequest,
  shortTimeouts,
  startBareHub,
  startProxyRig,
  statusOf,
  username,
} from "./notebook-proxy-rig.ts";

const path = `/notebooks/user/${username}/api/kernels/1/channels`;
const key = "dGhlIHNhbXBsZSBub25jZQ==";
const asked = ["Upgrade: websocket", `Sec-WebSocket-Key: ${key}`, "Sec-WebSocket-Version: 13"];
const handshake = (headers: readonly string[] = [], line = `GET ${path} HTTP/1.1`) =>
  rawRequest(line, [...asked, ...headers]).replace("Connection: close", "Connection: keep-alive, Upgrade");
const switching = [
  "HTTP/1.1 101 Switching Protocols",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
];
/** Opens every websocket, and echoes what comes through it. */
const open = (socket: Socket, headers: readonly string[] = []) => {
  socket.write([...switching, ...headers, "", ""].join("\r\n"));
  socket.on("end", () => socket.end()).pipe(socket);
};

/** A websocket through the gateway, its handshake done. */
async function opened(rig: ProxyRig): Promise<Socket> {
  const socket = connect({ port: rig.port, host: "127.0.0.1", allowHalfOpen: false });
  socket.on("error", () => {});
  socket.write(handshake());
  const [head] = await once(socket, "data");
  expect(statusOf(String(head))).toBe(101);
  return socket;
}

async function allEnds(rig: ProxyRig, hub: BareHub, socket: Socket): Promise<void> {
  await eventually(() => socket.destroyed && hub.sockets.size === 0 && rig.taken() === 0);
}

describe("a websocket through the gateway", () => {
  it("carries bytes both ways, and only the handshake of either side", async () => {
    await using hub = await startBareHub((socket) => open(socket, ["Set-Cookie: a=1", "Server: x", "X-Any: x"]));
    await using rig = await startProxyRig(hub.port);
    const socket = connect({ port: rig.port, host: "127.0.0.1" });
    const protocols = "Sec-WebSocket-Protocol: v1.kernel.websocket.jupyter.org, v1.token.websocket.jupyter.org.canary";
    const shown = ["Cookie: canary", "Api-Key: canary", "X-Platform-Identity: canary", "Origin: http://gateway.test"];
    socket.write(
      handshake([...shown, protocols], `GET ${path}?token=canary&session_id=1 HTTP/1.1`).replace("Bearer", "token"),
    );
    const [head] = await once(socket, "data");
    expect(statusOf(String(head))).toBe(101);
    for (const name of ["set-cookie", "server", "x-any"]) expect(headerOf(String(head), name)).toEqual([]);
    expect(headerOf(String(head), "sec-websocket-accept")).toEqual(["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]);
    const received = hub.received();
    expect(received).toMatch(new RegExp(`^GET ${path}\\?session_id=1 HTTP/1.1`));
    expect(received.toLowerCase()).not.toMatch(/canary|good|origin/);
    expect(headerOf(received, "authorization")).toEqual([`token ${hubToken}`]);
    expect(headerOf(received, "sec-websocket-key")).toEqual([key]);
    expect(headerOf(received, "sec-websocket-protocol")).toEqual(["v1.kernel.websocket.jupyter.org"]);
    socket.write("ping");
    expect(String((await once(socket, "data"))[0])).toBe("ping");
    socket.destroy();
    await allEnds(rig, hub, socket);
  });

  it("lives on through a change that leaves its caller be", async () => {
    await using hub = await startBareHub((socket) => open(socket));
    await using rig = await startProxyRig(hub.port, { ...shortTimeouts, idleSocketMs: 60_000 });
    const socket = await opened(rig);
    rig.changed();
    socket.write("still there");
    expect(String((await once(socket, "data"))[0])).toBe("still there");
    socket.destroy();
  });
});

describe("a websocket ends at both ends", () => {
  it.each<[string, (rig: ProxyRig, hub: BareHub) => void]>([
    [
      "when its credential is revoked",
      (rig) => {
        rig.caller.isRevoked = true;
        rig.changed();
      },
    ],
    [
      "when its caller loses the permission",
      (rig) => {
        rig.caller.permissions = [];
        rig.changed();
      },
    ],
    ["when the gateway drains", (rig) => rig.drain()],
    ["when nothing passes", () => {}],
    ["when the hub ends it", (_rig, hub) => hub.sockets.forEach((socket) => void socket.end())],
    ["when the hub breaks off", (_rig, hub) => hub.sockets.forEach((socket) => void socket.resetAndDestroy())],
  ])("%s", async (title, happens) => {
    await using hub = await startBareHub((socket) => open(socket));
    const idleSocketMs = title === "when nothing passes" ? 500 : 60_000;
    await using rig = await startProxyRig(hub.port, { ...shortTimeouts, idleSocketMs });
    const socket = await opened(rig);
    socket.resume();
    happens(rig, hub);
    await allEnds(rig, hub, socket);
  });
});

describe("a websocket that is not opened", () => {
  it.each<[string, number, string, (socket: Socket) => void]>([
    ["for another's server", 404, handshake([], "GET /notebooks/user/member-2/x HTTP/1.1"), open],
    ["for a page of another origin", 403, handshake(["Origin: https://evil.example"]), open],
    ["for an unknown caller", 401, handshake().replace("good", "bad"), open],
    ["because the hub says no", 403, handshake(), (socket) => socket.end("HTTP/1.1 403 No\r\nSet-Cookie: a\r\n\r\n")],
    ["because the hub says nothing", 504, handshake(), () => {}],
    ["because the hub hangs up", 502, handshake(), (socket) => socket.end()],
    ["because the hub breaks off", 502, handshake(), (socket) => socket.resetAndDestroy()],
    ["because the hub speaks something else", 502, handshake(), (socket) => socket.end("SSH-2.0\r\n")],
  ])("%s is answered %d", async (_title, status, request, answer) => {
    await using hub = await startBareHub(answer);
    await using rig = await startProxyRig(hub.port);
    const answered = await exchangeRaw(rig.port, request);
    expect(statusOf(answered)).toBe(status);
    expect(headerOf(answered, "set-cookie")).toEqual([]);
    await eventually(() => rig.taken() === 0);
  });
});
