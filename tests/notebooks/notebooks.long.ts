import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stepsOf } from "../documents/followed-page.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";
import { type EchoService, startEchoService } from "./echo-service.ts";
import { askHub, type RunningHub, startHub } from "./jupyterhub.ts";
import { closed, execute, openSocket } from "./kernel.ts";

const me = "/notebooks/services/session/api/me";
let directory: string;
let echo: EchoService;
let hub: RunningHub;
let running: LocalPlatform;
let platform: LocalPlatform["description"];
/** The administrator's name at the hub. */
let username: string;
/** What a kernel of their running server calls the platform with. */
let kernelKey: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "notebooks-"));
  echo = await startEchoService();
  hub = await startHub({ directory: join(directory, "hub"), echoUrl: echo.url });
  running = await startPlatform({
    directory: join(directory, "platform"),
    trainer: false,
    settings: {
      identity: { JUPYTERHUB_URL: hub.url, JUPYTERHUB_API_TOKEN: hub.apiToken, NOTEBOOK_CREDENTIALS: "true" },
      gateway: { JUPYTERHUB_URL: hub.url },
    },
  });
  platform = running.description;
  await hub.setPlatformUrl(platform.gateway);
  username = (await session()).identity.username;
}, 400_000);

afterAll(async () => {
  await running?.stop();
  await hub?.stop();
  await echo?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

async function session(bearer?: string): Promise<Json> {
  return (await ask(platform, { path: me, ...(bearer && { bearer }) })).body;
}

/** A new kernel of the server of whom the bearer stands for, over its websocket. */
async function openKernel(name = username, bearer = platform.bearer): Promise<WebSocket> {
  const kernels = `/notebooks/user/${name}/api/kernels`;
  const { status, body: kernel } = await ask(platform, { path: kernels, body: { name: "python3" }, bearer });
  expect(status).toBe(201);
  const headers = { authorization: `token ${bearer}`, cookie: "canary=1" };
  return openSocket(platform.gateway, { path: `${kernels}/${kernel.id}/channels`, headers });
}

/** The token of the hub that a service behind it gets with a request of the administrator. */
async function passOfService(): Promise<string> {
  const { body } = await ask(platform, { path: "/notebooks/services/echo/" });
  return body.headers.authorization.slice("token ".length);
}

/** A token of the hub for a user, with these rights. */
async function tokenOf(name: string, scopes: string[]): Promise<string> {
  const response = await fetch(`${hub.url}/hub/api/users/${name}/tokens`, {
    method: "POST",
    headers: { authorization: `token ${hub.apiToken}` },
    body: JSON.stringify({ scopes }),
  });
  const { token }: Json = await response.json();
  return token;
}

const plain = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id" && name !== "date")),
});

describe("the notebook session of a user who never started one", () => {
  it("says who they are in Jupyter's words, and that there is no server", async () => {
    const permissions = encodeURIComponent('{"contents":["read","fly"],"training":["command"],"x":["y"]}');
    const { status, headers, body } = await ask(platform, { path: `${me}?permissions=${permissions}` });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      identity: { username: `member-${body.member_id}`, avatar_url: null, color: null },
      permissions: { contents: ["read"], training: ["command"], x: [], updatable_fields: [] },
      kind: "member",
      organisation_id: platform.organisation_id,
      roles: ["administrator"],
      session: null,
    });
    expect(body.identity.display_name).toBe(body.identity.name);
    expect(body.scopes).toContain("notebooks:use");
  });

  it("is a key's own where a key acts for itself", async () => {
    const body = await session(platform.api_key);
    expect(body).toMatchObject({ kind: "api_key", member_id: null, roles: [], session: null });
    expect(body.identity.username).toMatch(/^key-[0-9a-f-]{36}$/);
  });

  it("answers Jupyter's clients, which say token for Bearer", async () => {
    const headers = { authorization: `token ${platform.bearer}` };
    const { status, body } = await ask(platform, { path: me, bearer: null, headers });
    expect([status, body.identity.username]).toEqual([200, username]);
  });

  it("refuses permissions that cannot be read", async () => {
    const { status, body } = await ask(platform, { path: `${me}?permissions=${encodeURIComponent("[1]")}` });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ["query", "permissions"] })]);
    expect(body.detail[0].msg).toContain("must be a JSON object of resource to list of actions");
  });

  it("makes no caller a user of the hub", async () => {
    await session(platform.foreign.bearer);
    const foreign = (await session(platform.foreign.bearer)).identity.username;
    expect(await askHub(hub, `users/${foreign}`)).toMatchObject({ status: 404 });
  });
});

describe("a notebook server through the gateway", () => {
  it("starts, shows as running, runs 1+1 in a kernel, and stops", async () => {
    const server = `/notebooks/hub/api/users/${username}/server`;
    expect([201, 202]).toContain((await ask(platform, { method: "POST", path: server })).status);
    const { session: started } = await until(
      "a running server",
      60,
      session,
      (seen) => seen.session?.status === "running",
    );
    expect(started).toMatchObject({ id: `${username}/`, server_url: `/notebooks/user/${username}/`, error: null });
    expect(Date.parse(started.started_at)).toBeLessThanOrEqual(Date.parse(started.last_activity));
    expect(Date.parse(started.last_activity)).toBeLessThanOrEqual(Date.now());

    const socket = await openKernel();
    expect(await execute(socket, "1+1")).toBe("2");
    // The server's own process shows what it was started with and what reaches it: none of it is ours.
    const environment = await execute(socket, "__import__('json').dumps(dict(__import__('os').environ))");
    const [, unused = ""] = /"PLATFORM_API_KEY": "(ain_[0-9a-f]{32})"/.exec(environment) ?? [];
    for (const secret of [platform.bearer, platform.api_key, hub.apiToken]) expect(environment).not.toContain(secret);
    socket.close();
    await closed(socket);

    const before = await askHub(hub, `users/${username}`);
    await Promise.all(Array.from({ length: 5 }, () => session()));
    expect((await askHub(hub, `users/${username}`)).last_activity).toBe(before.last_activity);

    expect((await ask(platform, { method: "DELETE", path: server })).status).toBeLessThan(300);
    const stopped = await until("the server to be gone", 30, session, (seen) => seen.session?.status === "none");
    expect(stopped.session).toMatchObject({ id: `${username}/`, server_url: null, started_at: null, error: null });
    const late = await ask(platform, { path: me, bearer: unused });
    expect([late.status, late.body.code]).toEqual([401, "credential_unknown"]);
  }, 120_000);

  it("that does not start was shown as none, without a reason", async () => {
    const bearer = platform.api_key;
    const { username: name } = (await session(bearer)).identity;
    await writeFile(join(directory, "hub", `${name}.refused`), "");
    await ask(platform, { method: "POST", path: `/notebooks/hub/api/users/${name}/server`, bearer });
    const failed = await until(
      "the start to fail",
      60,
      () => session(bearer),
      (seen) => seen.session?.status === "failed",
    );
    expect(failed.session.error).toMatch(/^The notebook server did not start: .*no room for another notebook/);
  }, 90_000);

  it.each([
    ["server", (name: string) => `/notebooks/user/${name}/api/status`],
    ["server in capitals", (name: string) => `/notebooks/USER/${name.toUpperCase()}/api/status`],
    ["server in disguise", (name: string) => `/notebooks/%75ser/${name}/api/status`],
    ["server by a detour", (name: string) => `/notebooks/user/x/..%2f${name}/api/status`],
    ["record", (name: string) => `/notebooks/hub/api/users/${name}`],
  ])("of another member leads nowhere, as if there were none: its %s", async (_title, path) => {
    for (const bearer of [platform.foreign.bearer, platform.api_key]) {
      const answer = await ask(platform, { path: path(username), bearer });
      const random = await ask(platform, { path: path(`member-${crypto.randomUUID()}`), bearer });
      expect(plain(answer)).toEqual(plain(random));
      expect([answer.status, answer.body]).toEqual([404, { detail: "Not found" }]);
    }
  });
});

describe("what a hub gets and gives", () => {
  const canaries = ["canary-cookie", "canary-key", "canary-context", "canary-proxy", "canary-identity", "canary-token"];

  it("is its own token and an identity that we signed, and nothing of ours", async () => {
    const { status, body, headers } = await ask(platform, {
      path: "/notebooks/services/echo/x?token=canary-token&y=1",
      body: { hello: "hub" },
      headers: {
        cookie: "session=canary-cookie",
        "api-key": "canary-key",
        "x-caller-context": "canary-context",
        "proxy-authorization": "canary-proxy",
        "x-platform-identity": "canary-identity",
        X_Platform_Identity: "canary-identity",
        "x-forwarded-user": "canary-identity",
        forwarded: "for=canary-identity",
      },
    });
    expect([status, body.url, body.body]).toEqual([200, "/notebooks/services/echo/x?y=1", '{"hello":"hub"}']);
    const arrived = JSON.stringify(echo.arrivals);
    for (const secret of [...canaries, platform.bearer]) expect(arrived).not.toContain(secret);
    expect(body.headers.authorization).toMatch(/^token [0-9a-f]{32}$/);

    const keys = await fetch(
      `${running.httpUrls.identity}/aiplatform.identity.v1.CredentialService/GetVerificationKeys`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      },
    );
    const { jwks }: Json = await keys.json();
    const { payload, protectedHeader } = await jwtVerify(
      body.headers["x-platform-identity"],
      createLocalJWKSet(JSON.parse(jwks)),
      { audience: "notebooks", issuer: "aiplatform-identity", typ: "notebook-identity+jwt", algorithms: ["EdDSA"] },
    );
    expect(payload).toMatchObject({ sub: username, organisation_id: platform.organisation_id });
    expect(`member-${payload.member_id}`).toBe(username);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(300);
    expect(protectedHeader.typ).toBe("notebook-identity+jwt");

    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox;/);
  });

  it("opens that user's servers for five minutes, and nothing else", async () => {
    const headers = { authorization: `token ${await passOfService()}` };
    const get = (path: string) => fetch(`${hub.url}/hub/api/${path}`, { headers });
    expect((await get(`users/${username}`)).status).toBe(200);
    expect((await get(`users/${username}/tokens`)).status).toBe(403);
    expect((await get("services")).status).toBe(403);
    expect((await get("users")).status).toBe(403);
  });

  it("leaves no credential of ours in its log", async () => {
    const log = await readFile(hub.logFile, "utf8");
    expect(log).toContain("/notebooks/");
    for (const secret of [...canaries, platform.bearer, platform.api_key]) expect(log).not.toContain(secret);
  });
});

describe("who is not let through", () => {
  it.each([
    ["an unknown caller", 401, { bearer: null }],
    ["a page of another origin that writes", 403, { method: "POST", headers: { origin: "https://evil.example" } }],
  ])("%s: %d", async (_title, status, how) => {
    const arrived = echo.arrivals.length;
    const path = "/notebooks/services/echo/";
    expect((await ask(platform, { path, ...how })).status).toBe(status);
    expect(echo.arrivals).toHaveLength(arrived);
  });

  it("a websocket of a page of another origin", async () => {
    const headers = { authorization: `Bearer ${platform.bearer}`, origin: "https://evil.example" };
    await expect(openSocket(platform.gateway, { path: "/notebooks/services/echo/ws", headers })).rejects.toThrow();
  });

  it("a websocket whose key is revoked: it ends within two seconds", async () => {
    const made = await ask(platform, {
      path: "/platform/api-keys",
      body: { name: "for a notebook", permission_ids: ["notebooks:use"] },
    });
    expect(made.status).toBe(201);
    const headers = { authorization: `token ${made.body.secret}` };
    const socket = await openSocket(platform.gateway, { path: "/notebooks/services/echo/ws", headers });
    const revokedAt = performance.now();
    const revoked = await ask(platform, { method: "DELETE", path: `/platform/api-keys/${made.body.api_key.id}` });
    expect(revoked.status).toBeLessThan(300);
    await closed(socket);
    expect(performance.now() - revokedAt).toBeLessThan(2_000);
    await expect(openSocket(platform.gateway, { path: "/notebooks/services/echo/ws", headers })).rejects.toThrow();
  });
});

describe("the lines that reach a notebook server, as the page on notebooks has them", () => {
  it("start a server, see it running, and talk to it", async () => {
    const steps = stepsOf(await readFile(join(import.meta.dirname, "../../docs/notebooks.md"), "utf8"));
    const lines = steps.flatMap(({ commands }) => commands.trim().split("\n"));
    expect([steps.length, lines.length]).toEqual([1, 3]);
    const [start = "", look = "", use = ""] = lines;
    const variables = { GATEWAY: platform.gateway, TOKEN: platform.bearer, NAME: username };
    const env = { PATH: process.env["PATH"], ...variables };
    const type = async (line: string) => (await promisify(execFile)("bash", ["-euc", line], { env })).stdout;

    expect(await type(start)).not.toContain("detail");
    const isRunning = (text: string) => text.includes('"status":"running"');
    const seen = await until("a running server", 60, () => type(look), isRunning);
    expect(JSON.parse(seen).session.server_url).toMatch(/^\/notebooks\/user\//);
    expect(JSON.parse(await type(use))).toMatchObject({ kernels: 0 });
  }, 120_000);
});

describe("the platform from a kernel of a running server", () => {
  it("knows the server's user without anything typed, as the page on notebooks has it", async () => {
    const page = await readFile(join(import.meta.dirname, "../../docs/notebooks.md"), "utf8");
    const [, code = ""] = /```python\n(.*?)```/s.exec(page) ?? [];
    const socket = await openKernel();
    expect(await execute(socket, code)).toBe(`'${username}'`);
    kernelKey = (await execute(socket, "os.environ['PLATFORM_API_KEY']")).slice(1, -1);
    socket.close();
    await closed(socket);
  }, 60_000);

  it("knows another user in a server of theirs", async () => {
    const { bearer } = platform.foreign;
    const name = (await session(bearer)).identity.username;
    await ask(platform, { method: "POST", path: `/notebooks/hub/api/users/${name}/server`, bearer });
    const isRunning = (seen: Json) => seen.session?.status === "running";
    await until("a running server", 60, () => session(bearer), isRunning);
    const socket = await openKernel(name, bearer);
    const foreignKey = (await execute(socket, "__import__('os').environ['PLATFORM_API_KEY']")).slice(1, -1);
    socket.close();
    await closed(socket);
    const { identity, organisation_id } = await session(foreignKey);
    expect([identity.username, organisation_id]).toEqual([name, (await session(bearer)).organisation_id]);
    expect(organisation_id).not.toBe(platform.organisation_id);
  }, 90_000);

  it("lets it do what the user may, and manage no members, roles and keys", async () => {
    const { scopes, kind, member_id } = await session(kernelKey);
    expect([kind, `member-${member_id}`]).toEqual(["member", username]);
    const { scopes: all } = await session();
    const withheld = ["apikeys:manage", "members:manage", "notebooks:use", "roles:manage"];
    expect(scopes).toEqual(all.filter((scope: string) => !withheld.includes(scope)));
    const body = { name: "k", permission_ids: ["metrics:read"] };
    const made = await ask(platform, { path: "/platform/api-keys", body, bearer: kernelKey });
    expect([made.status, made.body.detail]).toEqual([403, "Missing permission: apikeys:manage"]);
    const again = await ask(platform, { path: `/notebooks/user/${username}/api/status`, bearer: kernelKey });
    expect([again.status, again.body.detail]).toEqual([403, "Missing permission: notebooks:use"]);
  });

  it("is told in the audit log by the server's name", async () => {
    const name = `made in a notebook ${crypto.randomUUID()}`;
    const made = await ask(platform, { path: "/platform/models", body: { name }, bearer: kernelKey });
    expect(made.status).toBe(201);
    const credential = encodeURIComponent(`notebook:${username}/`);
    const [record] = await until(
      "the record of the change",
      30,
      async () => (await ask(platform, { path: `/platform/audit?outcome=done&credential_id=${credential}` })).body,
      (records: Json) => records.length > 0,
    );
    expect(record).toMatchObject({ entity_id: made.body.id, actor: { member_id: username.slice("member-".length) } });
  });

  it.each([
    ["a pass, as services of the hub get one", passOfService],
    ["another token of the user", () => tokenOf(username, [`read:users!user=${username}`])],
    ["a token of a server that does not run", () => tokenOf(username, [`access:servers!server=${username}/other`])],
    ["identity's own token", () => hub.apiToken],
    ["a token that the hub has never made", () => "0".repeat(32)],
  ])("is closed to %s", async (_title, token) => {
    const { status, body } = await ask(platform, { path: me, bearer: `ain_${await token()}` });
    expect([status, body.code]).toEqual([401, "credential_unknown"]);
  });
});

describe("forged tokens of notebook servers", () => {
  it("count as failed credentials: soon the hub is not asked", async () => {
    const guess = () => `ain_${crypto.randomUUID().replaceAll("-", "")}`;
    const statuses: number[] = [];
    while (statuses.length < 25) statuses.push((await ask(platform, { path: me, bearer: guess() })).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.at(-1)).toBe(429);
    expect((await session(kernelKey)).kind).toBe("member");
  });
});

describe("while the hub is away", () => {
  it("the session is answered, with a server that failed and why; the rest is 502 within ten seconds", async () => {
    await hub.stop();
    const askedAt = performance.now();
    const { status, body } = await ask(platform, { path: me });
    expect(status).toBe(200);
    expect(body.session).toMatchObject({ status: "failed", error: "The notebook hub does not answer" });
    for (const bearer of [platform.bearer, platform.api_key]) {
      const away = await ask(platform, { path: "/notebooks/hub/api/", bearer });
      expect([away.status, away.body.code]).toEqual([502, "notebook_hub_unavailable"]);
    }
    expect(performance.now() - askedAt).toBeLessThan(10_000);
  });
});
