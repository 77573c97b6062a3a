import {
  type GetNotebookSessionResponse,
  NotebookCallerKind,
  NotebookServerStatus,
  NotebookSessionService,
} from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { assertedAs, failureOf } from "@aiplatform/testkit";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityRig, operatorKey, showing, startIdentityRig } from "./identity-rig.ts";
import { hubApiToken, type StubHub, startStubHub } from "./stub-hub.ts";

let hub: StubHub;
let rig: IdentityRig;
const transports: MeshTransport[] = [];

beforeAll(async () => {
  hub = await startStubHub();
  rig = await startIdentityRig({ settings: { JUPYTERHUB_URL: hub.url, JUPYTERHUB_API_TOKEN: hubApiToken } });
});

beforeEach(() => {
  hub.misbehaves = undefined;
  hub.users.clear();
  hub.failedStarts.clear();
  hub.requests.length = 0;
});

afterAll(async () => {
  for (const transport of transports) transport.close();
  await rig?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
});

function as(bearer: string, of: IdentityRig = rig): Client<typeof NotebookSessionService> {
  const interceptors = [showing({ bearer }), assertedAs("gateway")];
  const transport = createMeshTransport({ addresses: of.service.addresses.grpc, interceptors });
  transports.push(transport);
  return createClient(NotebookSessionService, transport);
}

const key = () => rig.acme.apiKeySecret;
const memberName = () => `member-${rig.acme.administrator?.id}`;
const keyName = () => `key-${rig.acme.apiKey?.id}`;
const serverOf = ({ session }: GetNotebookSessionResponse) => session?.session;

const model = {
  name: "",
  pending: null,
  ready: true,
  stopped: false,
  url: "/notebooks/user/x/",
  started: "2026-11-21T11:02:19.288936Z",
  last_activity: "2026-11-21T11:02:23.105673Z",
};

describe("a notebook session", () => {
  it("of a member names the member, the roles and the permissions", async () => {
    const { session } = await as(await rig.provider.token("ada")).getNotebookSession({ permissions: '{"x":["y"]}' });
    expect(session).toMatchObject({
      identity: { username: memberName(), name: "ada", displayName: "ada", initials: "A" },
      kind: NotebookCallerKind.MEMBER,
      memberId: rig.acme.administrator?.id,
      organisationId: rig.acme.organisation?.id,
      roles: ["administrator"],
      permissions: { text: '{"x":[],"updatable_fields":[]}' },
    });
    expect(session?.scopes).toEqual([...(session?.scopes ?? [])].sort());
    expect(session?.session).toBeUndefined();
  });

  it("of a key names the key, and of the operator only the operator", async () => {
    const { session } = await as(key()).getNotebookSession({});
    expect(session).toMatchObject({ kind: NotebookCallerKind.API_KEY, roles: [], identity: { username: keyName() } });
    expect(session?.memberId).toBeUndefined();
    const operator = (await as(operatorKey).getNotebookSession({})).session;
    expect(operator).toMatchObject({ organisationId: "", identity: { username: "key-operator", name: "operator" } });
  });

  it("is read with one look at the hub, which changes nothing there", async () => {
    await as(key()).getNotebookSession({});
    expect(hub.requests).toEqual([
      {
        method: "GET",
        path: `/notebooks/hub/api/users/${keyName()}?include_stopped_servers=1`,
        authorization: `token ${hubApiToken}`,
        body: {},
      },
    ]);
    expect(hub.users.size).toBe(0);
  });

  it.each<[string, object, NotebookServerStatus]>([
    ["runs", {}, NotebookServerStatus.RUNNING],
    ["is stopped", { ready: false, stopped: true, started: null }, NotebookServerStatus.NONE],
    ["stops", { ready: false, pending: "stop" }, NotebookServerStatus.STOPPING],
    ["starts", { ready: false, pending: "spawn", started: new Date().toISOString() }, NotebookServerStatus.STARTING],
    ["has been starting for an hour", { ready: false, pending: "spawn" }, NotebookServerStatus.FAILED],
  ])("shows a server that %s", async (_title, fields, status) => {
    hub.users.set(keyName(), { "": { ...model, ...fields } });
    const server = serverOf(await as(key()).getNotebookSession({}));
    expect([server?.id, server?.status]).toEqual([`${keyName()}/`, status]);
    expect(server?.serverUrl).toBe(status === NotebookServerStatus.RUNNING ? model.url : undefined);
    expect(server?.error === undefined).toBe(status !== NotebookServerStatus.FAILED);
    expect(server?.lastActivity && timestampDate(server.lastActivity)).toEqual(new Date(model.last_activity));
  });

  it.each<[string, string | null]>([
    ["that ran before", model.last_activity],
    ["that never ran", null],
  ])("a start that failed was shown as none, without a reason: of a server %s", async (_title, last_activity) => {
    const stopped = { ...model, ready: false, stopped: true, started: null, last_activity };
    hub.users.set(keyName(), { "": stopped });
    hub.failedStarts.set(keyName(), `Server didn't respond in 30 seconds\n${"x".repeat(1_000)}`);
    const server = serverOf(await as(key()).getNotebookSession({}));
    expect(server?.status).toBe(NotebookServerStatus.FAILED);
    expect(server?.error).toMatch(/^The notebook server did not start: Server didn't respond in 30 seconds x+$/);
    expect(server?.error?.length).toBeLessThan(400);
    // The next start is another one.
    hub.users.set(keyName(), { "": { ...model, ready: false, pending: "spawn", started: new Date().toISOString() } });
    expect(serverOf(await as(key()).getNotebookSession({}))?.status).toBe(NotebookServerStatus.STARTING);
  });

  it.each<[string, object]>([
    ["no server", {}],
    ["a named server only", { work: { ...model, name: "work" } }],
    ["a server that never ran", { "": { ...model, ready: false, stopped: true, started: null, last_activity: null } }],
  ])("shows none for a user with %s", async (_title, servers) => {
    hub.users.set(keyName(), { ...servers });
    expect(serverOf(await as(key()).getNotebookSession({}))).toBeUndefined();
  });

  it.each<[string, NonNullable<StubHub["misbehaves"]>]>([
    ["says nothing", () => {}],
    ["fails", (_, response) => void response.writeHead(500).end("{}")],
    ["knows our token no more", (_, response) => void response.writeHead(403).end("{}")],
    ["speaks something else", (_, response) => void response.end("<html>")],
    ["answers a list", (_, response) => void response.writeHead(201).end("[]")],
    ["redirects", (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end()],
    ["breaks off", (request) => void request.socket.destroy()],
    ["talks without end", (_, response) => void response.end("x".repeat(2_000_000))],
  ])("is answered within three seconds while the hub %s, with a server that failed", async (_title, misbehaves) => {
    hub.misbehaves = misbehaves;
    const askedAt = performance.now();
    const server = serverOf(await as(key()).getNotebookSession({}));
    expect(server).toMatchObject({ status: NotebookServerStatus.FAILED, error: "The notebook hub does not answer" });
    expect(performance.now() - askedAt).toBeLessThan(3_000);
    const failure = await failureOf(as(key()).issueNotebookPass({}));
    expect([failure.code, failure.reason]).toEqual([Code.Unavailable, "NOTEBOOK_HUB_UNAVAILABLE"]);
    expect(failure.message).not.toContain(hubApiToken);
  });

  it("is refused for permissions that cannot be read", async () => {
    const { code, fields } = await failureOf(as(key()).getNotebookSession({ permissions: '{"x":"y"}' }));
    expect([code, fields]).toEqual([Code.InvalidArgument, [["permissions", "JUPYTER_PERMISSIONS_INVALID"]]]);
    const tooLong = await failureOf(as(key()).getNotebookSession({ permissions: " ".repeat(10_001) }));
    expect(tooLong.code).toBe(Code.InvalidArgument);
  });
});

describe("a pass to the notebooks", () => {
  it("is a token of the hub for the caller's own, whether or not the hub knew the user", async () => {
    const passes = [await as(key()).issueNotebookPass({}), await as(key()).issueNotebookPass({})];
    for (const { username, hubToken, expiresAt } of passes) {
      expect([username, hubToken]).toEqual([keyName(), `token-of-${keyName()}`]);
      expect(expiresAt && timestampDate(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(300_000);
    }
    expect(hub.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
      "POST tokens",
      `POST ${keyName()}`,
      "POST tokens",
      "POST tokens",
    ]);
    expect(hub.requests.at(-1)?.body).toEqual({
      note: "platform gateway",
      expires_in: 300,
      scopes: ["access:servers", "servers", "read:users"].map((scope) => `${scope}!user=${keyName()}`),
    });
  });

  it("tells only the notebooks who calls", async () => {
    const bearer = await rig.provider.token("ada");
    const { signedIdentity } = await as(bearer).issueNotebookPass({});
    const { jwks } = await rig.as({}).credentials.getVerificationKeys({});
    const keys = createLocalJWKSet(JSON.parse(jwks));
    const { payload } = await jwtVerify(signedIdentity, keys, { audience: "notebooks", algorithms: ["EdDSA"] });
    expect(payload).toMatchObject({
      sub: memberName(),
      iss: "aiplatform-identity",
      organisation_id: rig.acme.organisation?.id,
      member_id: rig.acme.administrator?.id,
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);

    const transport = createMeshTransport({
      addresses: rig.service.addresses.grpc,
      interceptors: [
        assertedAs("gateway"),
        (next) => (request) => {
          request.header.set("x-caller-context", signedIdentity);
          return next(request);
        },
      ],
    });
    transports.push(transport);
    const refused = await failureOf(createClient(NotebookSessionService, transport).getNotebookSession({}));
    expect(refused.code).toBe(Code.Unauthenticated);
  });

  it("is for those who hold notebooks:use", async () => {
    const { secret } = await rig
      .as({ apiKey: key() })
      .apiKeys.createApiKey({ name: "k", permissionIds: ["metrics:read"] });
    const { code, metadata } = await failureOf(as(secret).issueNotebookPass({}));
    expect([code, metadata.permission]).toEqual([Code.PermissionDenied, "notebooks:use"]);
    expect((await as(secret).getNotebookSession({})).session?.scopes).toEqual(["metrics:read"]);
  });
});

describe("without a hub", () => {
  it("there is a session without a server, and no pass", async () => {
    await using without = await startIdentityRig();
    const client = as(without.acme.apiKeySecret, without);
    expect(serverOf(await client.getNotebookSession({}))).toBeUndefined();
    expect((await failureOf(client.issueNotebookPass({}))).code).toBe(Code.NotFound);
  });
});
