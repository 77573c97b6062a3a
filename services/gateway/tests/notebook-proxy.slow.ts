import { connect, type Socket } from "node:net";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import {
  exchangeRaw,
  headerOf,
  hubToken,
  rawRequest,
  sessionToken,
  shortTimeouts,
  startBareHub,
  startProxyRig,
  statusOf,
  username,
} from "./notebook-proxy-rig.ts";

const path = `/notebooks/user/${username}/api`;
const ok = (socket: Socket, headers: readonly string[] = [], body = "ok") =>
  socket.end(["HTTP/1.1 200 OK", `Content-Length: ${body.length}`, ...headers, "", body].join("\r\n"));

describe("a request that goes on to the hub", () => {
  const canary = "canary";
  const shown = [
    "Api-Key: canary",
    "X-Api-Key: canary",
    "Cookie: a=canary",
    "Proxy-Authorization: canary",
    "X-Caller-Context: canary",
    "X-Platform-Identity: canary",
    "x_platform_identity: canary",
    "X-PLATFORM-ROLES: canary",
    "Forwarded: for=canary",
    "X-Forwarded-For: canary",
    "X-Forwarded-User: canary",
    "x_forwarded_proto: canary",
    "X-Real-Ip: canary",
    "X-Remote-User: canary",
    "X-Original-Url: /canary",
    "X-Http-Method-Override: CANARY",
    "Referer: http://gateway.test/?token=canary",
    "Keep-Alive: canary",
    "Named: canary",
    "Sec-Fetch-Site: canary",
  ];

  it.each<[string, string, string[]]>([
    ["with a body", "POST", ["Content-Length: 4", "Origin: http://gateway.test"]],
    ["that expects a 100", "POST", ["Content-Length: 4", "Expect: 100-continue"]],
    ["with a body in chunks", "PUT", ["Transfer-Encoding: chunked"]],
    ["without one", "GET", []],
  ])("%s carries nothing of ours, and who calls in our words", async (_title, method, headers) => {
    await using hub = await startBareHub((socket) => ok(socket));
    await using rig = await startProxyRig(hub.port);
    const body = headers.includes("Transfer-Encoding: chunked") ? "4\r\nbody\r\n0\r\n\r\n" : "body";
    const line = `${method} ${path}?token=canary&a=1&TOKEN=canary&%74oken=canary&b HTTP/1.1`;
    const text = rawRequest(line, [...shown, ...headers], method === "GET" ? "" : body);
    const answer = await exchangeRaw(rig.port, text.replace("Connection: close", "Connection: close, Named"));
    expect(answer).toMatch(/HTTP\/1\.1 200 OK/);
    const received = hub.received();
    expect(received.toLowerCase()).not.toContain(canary);
    expect(received.toLowerCase()).not.toContain("good");
    expect(received).toMatch(new RegExp(`^${method} ${path}\\?a=1&b HTTP/1.1`));
    expect(headerOf(received, "authorization")).toEqual([`token ${hubToken}`]);
    expect(headerOf(received, "x-platform-identity")).toEqual(["signed-identity-1"]);
    if (method !== "GET") expect(received).toContain("body");
  });

  it("may be longer than those of our own operations", async () => {
    const body = "x".repeat(9 * 1024 * 1024);
    await using hub = await startBareHub((socket, head) => {
      const whole = head.indexOf("\r\n\r\n") + 4 + body.length;
      socket.on("data", () => void (socket.bytesRead === whole && ok(socket)));
    });
    await using rig = await startProxyRig(hub.port);
    const text = rawRequest(`PUT ${path} HTTP/1.1`, [`Content-Length: ${body.length}`], body);
    expect(statusOf(await exchangeRaw(rig.port, text))).toBe(200);
  });

  it("uses one pass for all of a caller, and another once credentials changed", async () => {
    await using hub = await startBareHub((socket) => ok(socket));
    await using rig = await startProxyRig(hub.port);
    const ask = () => exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`));
    await Promise.all([ask(), ask(), ask()]);
    expect(rig.passes()).toBe(1);
    rig.changed();
    await ask();
    expect(rig.passes()).toBe(2);
    await eventually(() => rig.taken() === 0);
  });
});

describe("what a hub answers", () => {
  it("comes without what a hub may not say under our name, and as a stranger's page", async () => {
    const said = [
      "Set-Cookie: a=1",
      "Set-Cookie: b=2; Path=/",
      "Set-Cookie2: c",
      "Access-Control-Allow-Origin: *",
      "Content-Security-Policy: default-src *",
      "Content-Security-Policy-Report-Only: x",
      "Strict-Transport-Security: max-age=0",
      "Clear-Site-Data: *",
      "Refresh: 0; url=https://evil.example",
      "Service-Worker-Allowed: /",
      "Link: </x>; rel=preload",
      "WWW-Authenticate: Basic",
      "Authorization: token x",
      "Cache-Control: public, max-age=9",
      "Server: hub/1",
      "X-JupyterHub-Version: 6",
      "X-Platform-Identity: x",
      "Connection: Named",
      "Named: x",
    ];
    await using hub = await startBareHub((socket) => ok(socket, [...said, "Content-Type: text/html", "ETag: x"]));
    await using rig = await startProxyRig(hub.port);
    const answer = await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`));
    const ours = new Set(["content-security-policy", "cache-control", "connection"]);
    const kept = said.map((line) => line.split(":")[0] ?? "").filter((name) => !ours.has(name.toLowerCase()));
    expect(kept.filter((name) => headerOf(answer, name).length > 0)).toEqual([]);
    expect(headerOf(answer, "content-security-policy")).toEqual([
      "sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ]);
    expect(headerOf(answer, "cache-control")).toEqual(["no-store"]);
    expect(headerOf(answer, "x-content-type-options")).toEqual(["nosniff"]);
    expect([headerOf(answer, "content-type"), headerOf(answer, "etag")]).toEqual([["text/html"], ["x"]]);
  });

  it.each<[string, string | undefined]>([
    ["/notebooks/hub/", "/notebooks/hub/"],
    ["status?x=1#y", `/notebooks/user/${username}/status?x=1#y`],
    ["http://127.0.0.1:PORT/notebooks/hub/login?next=x", "/notebooks/hub/login?next=x"],
    ["//127.0.0.1:PORT/notebooks/", "/notebooks/"],
    ["//evil.example/notebooks/", undefined],
    ["https://evil.example/", undefined],
    ["https://127.0.0.1:PORT/notebooks/", undefined],
    ["/platform/roles/", undefined],
    ["/notebooks/../platform/", undefined],
    ["/notebooksx", undefined],
    ["javascript:alert(1)", undefined],
    ["http://[", undefined],
  ])("and redirects to %s leads to %s", async (location, expected) => {
    await using hub = await startBareHub((socket) =>
      socket.end(
        `HTTP/1.1 302 Found\r\nLocation: ${location.replace("PORT", `${hub.port}`)}\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    await using rig = await startProxyRig(hub.port);
    const answer = await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`));
    expect(statusOf(answer)).toBe(expected === undefined ? 502 : 302);
    expect(headerOf(answer, "location")).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each<[string, string, number, string]>([
    ["to a HEAD", "HEAD", 200, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"],
    ["without content", "DELETE", 204, "HTTP/1.1 204 No Content\r\n\r\n"],
    ["that nothing has changed", "GET", 304, 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'],
    ["with an empty body", "GET", 201, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"],
    ["that ends with its connection", "GET", 200, "HTTP/1.0 200 OK\r\n\r\n"],
  ])("%s passes", async (_title, method, status, said) => {
    await using hub = await startBareHub((socket) => socket.end(said));
    await using rig = await startProxyRig(hub.port);
    const answer = await exchangeRaw(rig.port, rawRequest(`${method} ${path} HTTP/1.1`));
    expect(statusOf(answer)).toBe(status);
    expect(answer.split("\r\n\r\n").slice(1).join("")).toMatch(/^(0|)(\r\n)*$/);
  });

  it("as a stream of events begins at once, before there is an event", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    await using hub = await startBareHub((socket) => socket.write(head));
    await using rig = await startProxyRig(hub.port, { ...shortTimeouts, silenceMs: 60_000 });
    const answer = await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`), /\r\n\r\n/);
    expect([statusOf(answer), headerOf(answer, "content-type")]).toEqual([200, ["text/event-stream"]]);
    await eventually(() => rig.taken() === 0);
  });

  it("passes as slowly as its reader reads", async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    await using hub = await startBareHub((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * 1024 * 1024}\r\n\r\n`);
      const more = () => {
        while (sent < 1_600) {
          sent += 1;
          if (!socket.write(chunk)) return void socket.once("drain", more);
        }
      };
      more();
    });
    await using rig = await startProxyRig(hub.port, { ...shortTimeouts, silenceMs: 60_000 });
    const reader = connect({ port: rig.port, host: "127.0.0.1" });
    reader.write(rawRequest(`GET ${path} HTTP/1.1`));
    await new Promise((resolve) => reader.once("readable", resolve));
    // The caller does not read: what was sent stops growing once the buffers in between are full.
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(sent).toBeLessThan(800);
    let length = 0;
    for await (const part of reader) length += part.length;
    expect(length).toBeGreaterThan(100 * 1024 * 1024);
  });
});

describe("a hub that fails", () => {
  it.each<[string, number, (socket: Socket) => void]>([
    ["says nothing", 504, () => {}],
    ["says half a head", 504, (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-")],
    ["falls silent after its head", 504, (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")],
    [
      "falls silent before its first chunk",
      504,
      (socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ],
    ["hangs up", 502, (socket) => socket.end()],
    ["hangs up after its head", 502, (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")],
    ["breaks off", 502, (socket) => socket.resetAndDestroy()],
    ["speaks something else", 502, (socket) => socket.end("SSH-2.0-x\r\n")],
    ["says a header that is none", 502, (socket) => socket.end("HTTP/1.1 200 OK\r\nno colon\r\n\r\n")],
    ["says a header with a NUL", 502, (socket) => socket.end("HTTP/1.1 200 OK\r\na: \0\r\n\r\n")],
    ["says too many headers", 502, (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${"x".repeat(100_000)}\r\n\r\n`)],
    [
      "says two lengths",
      502,
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1"),
    ],
    [
      "switches protocols unasked",
      504,
      (socket) => socket.end("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
  ])("and %s is answered for with %d", async (_title, status, answer) => {
    await using hub = await startBareHub(answer);
    await using rig = await startProxyRig(hub.port);
    const answered = await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`));
    expect(statusOf(answered)).toBe(status);
    expect(answered).toMatch(/"code":"notebook_hub_(unavailable|timeout)"/);
    await eventually(() => rig.taken() === 0);
  });

  it("and is not there is answered for with 502", async () => {
    const hub = await startBareHub(() => {});
    await hub[Symbol.asyncDispose]();
    await using rig = await startProxyRig(hub.port);
    expect(statusOf(await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`)))).toBe(502);
  });

  it("and falls silent in the middle of a body has its reader cut off", async () => {
    await using hub = await startBareHub((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
    await using rig = await startProxyRig(hub.port);
    expect(await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`))).toMatch(/half$/);
    await eventually(() => rig.taken() === 0);
  });
});

describe("who is not let through", () => {
  it.each<[string, number, string, string[], string[]]>([
    ["another's server", 404, "GET /notebooks/user/member-2/api HTTP/1.1", [], ["not_found NOT_FOUND"]],
    [
      "a write of another origin",
      403,
      `POST ${path} HTTP/1.1`,
      ["Origin: https://evil.example"],
      ["permission_denied FOREIGN_ORIGIN"],
    ],
    ["a write of no origin", 403, `DELETE ${path} HTTP/1.1`, ["Origin: null"], ["permission_denied FOREIGN_ORIGIN"]],
    [
      "a write of another port",
      403,
      `PATCH ${path} HTTP/1.1`,
      ["Origin: http://gateway.test:81"],
      ["permission_denied FOREIGN_ORIGIN"],
    ],
    ["a read of another origin", 200, `GET ${path} HTTP/1.1`, ["Origin: https://evil.example"], []],
    ["a write of our own", 200, `POST ${path} HTTP/1.1`, ["Origin: http://gateway.test", "Content-Length: 0"], []],
  ])("%s: %d", async (_title, status, line, headers, recorded) => {
    await using hub = await startBareHub((socket) => ok(socket));
    await using rig = await startProxyRig(hub.port);
    const answer = await exchangeRaw(rig.port, rawRequest(line, headers));
    expect(statusOf(answer)).toBe(status);
    expect(rig.refusals.map(({ code, reason }) => `${code} ${reason}`)).toEqual(recorded);
    if (status !== 200) expect(hub.received()).toBe("");
  });

  it("a browser's session, whose pages could be another user's: 401", async () => {
    await using hub = await startBareHub((socket) => ok(socket));
    await using rig = await startProxyRig(hub.port);
    const shown = `Cookie: __Host-aiplatform-session=${sessionToken}`;
    const inSession = rawRequest(`GET ${path} HTTP/1.1`).replace("Authorization: Bearer good", shown);
    expect(statusOf(await exchangeRaw(rig.port, inSession))).toBe(401);
    expect(rig.refusals.map(({ reason }) => reason)).toEqual(["CREDENTIAL_MISSING"]);
    expect(hub.received()).toBe("");
  });

  it("an unknown caller: 401; a caller without the permission: 403", async () => {
    await using hub = await startBareHub((socket) => ok(socket));
    await using rig = await startProxyRig(hub.port);
    const unknown = rawRequest(`GET ${path} HTTP/1.1`).replace("Bearer good", "token bad");
    expect(statusOf(await exchangeRaw(rig.port, unknown))).toBe(401);
    rig.caller.permissions = [];
    expect(await exchangeRaw(rig.port, rawRequest(`GET ${path} HTTP/1.1`))).toMatch(
      /Missing permission: notebooks:use/,
    );
    expect(hub.received()).toBe("");
  });
});
