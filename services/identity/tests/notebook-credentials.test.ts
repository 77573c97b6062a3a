import { randomUUID } from "node:crypto";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import type { IdentityClients } from "./identity-rig.ts";
import { hubApiToken, type StubHub, startStubHub } from "./stub-hub.ts";

let hub: StubHub;
let administration: AdministrationRig;
let ada: IdentityClients;
/** The administrator's name at the hub. */
let adasName: string;

beforeAll(async () => {
  hub = await startStubHub();
  const settings = { JUPYTERHUB_URL: hub.url, JUPYTERHUB_API_TOKEN: hubApiToken, NOTEBOOK_CREDENTIALS: "true" };
  administration = await startAdministrationRig({ settings });
  ada = administration.acme;
  adasName = `member-${administration.rig.acme.administrator?.id}`;
});

beforeEach(() => {
  hub.misbehaves = undefined;
  hub.users.clear();
  hub.tokens.clear();
  hub.requests.length = 0;
});

afterAll(async () => {
  await administration?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
});

const running = { name: "", pending: null, ready: true, stopped: false };

/** The credential of a server that runs at the hub; `as` changes what the hub says of its token. */
function serverOf(username: string, { name = "", server = {}, as = {} } = {}): string {
  const token = randomUUID().replaceAll("-", "");
  hub.users.set(username, { [name]: { ...running, name, ...server } });
  const scopes = [`access:servers!server=${username}/${name}`, `users:activity!user=${username}`];
  hub.tokens.set(token, { kind: "user", name: username, scopes, ...as });
  return `ain_${token}`;
}

async function opened(bearer: string, shown: IdentityClients = ada) {
  const { caller } = await shown.credentials.exchangeCredential({ bearer });
  return caller;
}

const refusal = (bearer: string) => failureOf(ada.credentials.exchangeCredential({ bearer }));

async function colleague(subject: string, ...permissionIds: string[]) {
  const roleId = await administration.newRole(...permissionIds);
  const person = { ...administration.person(subject), subject };
  const { member } = await ada.members.createMember({ member: person, roleIds: [roleId] });
  return { roleId, memberId: member?.id ?? "", username: `member-${member?.id}` };
}

describe("the credential of a notebook server", () => {
  it("acts as the server's user, without what manages members, roles and keys or opens further servers", async () => {
    const caller = await opened(serverOf(adasName));
    expect(caller).toMatchObject({
      organisationId: administration.rig.acme.organisation?.id,
      memberId: administration.rig.acme.administrator?.id,
      credentialId: `notebook:${adasName}/`,
    });
    expect(caller?.permissions).toContain("training:command");
    for (const withheld of ["apikeys:manage", "members:manage", "roles:manage", "notebooks:use"]) {
      expect(caller?.permissions).not.toContain(withheld);
    }
  });

  it("is another member's in a server of theirs, in another organisation, too", async () => {
    const hank = administration.rig.globex.administrator?.id;
    const both = [await opened(serverOf(`member-${hank}`)), await opened(serverOf(adasName))];
    expect(both.map((caller) => [caller?.organisationId, caller?.memberId])).toEqual([
      [administration.rig.globex.organisation?.id, hank],
      [administration.rig.acme.organisation?.id, administration.rig.acme.administrator?.id],
    ]);
  });

  it("acts as a key where the user is one, and ends with it", async () => {
    const permissionIds = ["notebooks:use", "metrics:read"];
    const { apiKey } = await ada.apiKeys.createApiKey({ name: "notebooks", permissionIds });
    const bearer = serverOf(`key-${apiKey?.id}`, { name: "work" });
    const caller = await opened(bearer);
    expect(caller).toMatchObject({ permissions: ["metrics:read"], credentialId: `notebook:key-${apiKey?.id}/work` });
    expect(caller?.memberId).toBeUndefined();
    await ada.apiKeys.revokeApiKey({ apiKeyId: apiKey?.id ?? "" });
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_REVOKED" });
  });

  it("may do what its user may at that moment, and nothing without notebooks:use or when deactivated", async () => {
    const { roleId, memberId, username } = await colleague("grace", "notebooks:use", "metrics:read");
    const bearer = serverOf(username);
    const change = (...permissionIds: string[]) => ada.roles.updateRole({ roleId, name: "R", permissionIds });
    expect((await opened(bearer))?.permissions).toEqual(["metrics:read"]);
    await change("notebooks:use", "training:command");
    expect((await opened(bearer))?.permissions).toEqual(["training:command"]);
    await change("training:command");
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_REVOKED" });
    await change("notebooks:use");
    await ada.members.deactivateMember({ memberId });
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "MEMBER_INACTIVE" });
  });

  it("delegates nothing and makes no key: both would outlive the server", async () => {
    const clients = administration.rig.as({ bearer: serverOf(adasName) });
    const delegation = { delegationId: randomUUID(), purpose: "p", permissionIds: ["automations:write"] };
    expect(await failureOf(clients.delegations.createDelegation(delegation))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "CALLER_IS_DELEGATED",
    });
    const key = clients.apiKeys.createApiKey({ name: "k", permissionIds: ["metrics:read"] });
    expect(await failureOf(key)).toMatchObject({ code: Code.PermissionDenied });
  });

  it("costs two looks at the hub, the first with the token itself", async () => {
    const bearer = serverOf(adasName);
    await opened(bearer);
    expect(hub.requests.map(({ path, authorization }) => [path.split("/hub/api/")[1], authorization])).toEqual([
      ["user", `token ${bearer.slice("ain_".length)}`],
      [`users/${adasName}?include_stopped_servers=1`, `token ${hubApiToken}`],
    ]);
  });
});

describe("what is no credential of a notebook server", () => {
  const stopped = { ready: false, stopped: true };
  it.each<[string, () => string, string]>([
    ["a token that the hub does not know", () => `ain_${"0".repeat(32)}`, "CREDENTIAL_UNKNOWN"],
    ["a token with what no token has", () => "ain_0123456789abcdef/../users", "CREDENTIAL_MALFORMED"],
    ["a token of a stopped server", () => serverOf(adasName, { server: stopped }), "CREDENTIAL_UNKNOWN"],
    ["a pass", () => serverOf(adasName, { as: { scopes: [`access:servers!user=${adasName}`] } }), "CREDENTIAL_UNKNOWN"],
    ["a token without scopes", () => serverOf(adasName, { as: { scopes: undefined } }), "CREDENTIAL_UNKNOWN"],
    [
      "a token for the server of another user",
      () => serverOf(adasName, { as: { name: "member-x" } }),
      "CREDENTIAL_UNKNOWN",
    ],
    ["a token of a service of the hub", () => serverOf(adasName, { as: { kind: "service" } }), "CREDENTIAL_UNKNOWN"],
    ["a server of the operator", () => serverOf("key-operator"), "CREDENTIAL_UNKNOWN"],
    ["a server of a user that the platform does not know", () => serverOf(`key-${randomUUID()}`), "CREDENTIAL_UNKNOWN"],
    ["a server of a member who does not exist", () => serverOf(`member-${randomUUID()}`), "MEMBER_INACTIVE"],
  ])("is refused: %s", async (_, bearer, reason) => {
    expect(await refusal(bearer())).toMatchObject({ code: Code.Unauthenticated, reason });
  });

  it("is not decided while the hub is away, and the token is not told", async () => {
    const bearer = serverOf(adasName);
    hub.misbehaves = (_, response) => void response.writeHead(503).end("{}");
    const failure = await refusal(bearer);
    expect([failure.code, failure.reason]).toEqual([Code.Unavailable, "NOTEBOOK_HUB_UNAVAILABLE"]);
    expect(failure.message).not.toContain(bearer.slice("ain_".length));
  });
});

describe("where notebooks have no credential", () => {
  it("the hub is not asked, and the token is unknown", async () => {
    const settings = { JUPYTERHUB_URL: hub.url, JUPYTERHUB_API_TOKEN: hubApiToken };
    await using without = await startAdministrationRig({ settings });
    const bearer = serverOf(adasName);
    const failure = await failureOf(without.acme.credentials.exchangeCredential({ bearer }));
    expect([failure.reason, hub.requests]).toEqual(["CREDENTIAL_UNKNOWN", []]);
  });
});
