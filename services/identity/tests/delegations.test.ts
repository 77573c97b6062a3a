import { randomUUID } from "node:crypto";
import { delegationCredential } from "@aiplatform/caller-identity";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig, systemRole } from "./administration-rig.ts";
import { delegationSecret, type IdentityClients } from "./identity-rig.ts";

let administration: AdministrationRig;
let ada: IdentityClients;
let grace: Awaited<ReturnType<typeof joined>>;
beforeAll(async () => {
  administration = await startAdministrationRig();
  ada = administration.acme;
  grace = await joined("grace");
});
afterAll(async () => await administration[Symbol.asyncDispose]());

const purpose = "automation of the tests";

/** Lets the permissions be used, and answers the bearer that a service would derive. */
async function given(giver: IdentityClients, ...permissionIds: string[]) {
  const delegationId = randomUUID();
  const { delegation } = await giver.delegations.createDelegation({ delegationId, purpose, permissionIds });
  return { delegationId, bearer: bearerOf(delegation?.organisationId ?? "", delegationId) };
}

function bearerOf(organisationId: string, delegationId: string): string {
  return delegationCredential(delegationSecret, { organisationId, delegationId });
}

async function opened(bearer: string) {
  const { caller } = await ada.credentials.exchangeCredential({ bearer });
  return { memberId: caller?.memberId, permissions: caller?.permissions, credentialId: caller?.credentialId };
}

const refusal = (bearer: string) => failureOf(ada.credentials.exchangeCredential({ bearer }));

/** Adds to acme whom the issuer knows as `subject`, and answers clients of theirs. */
async function joined(subject: string, ...roleIds: string[]) {
  const person = { ...administration.person(subject), subject };
  const { member } = await ada.members.createMember({ member: person, roleIds });
  const bearer = await administration.rig.provider.token(subject);
  return { memberId: member?.id ?? "", clients: administration.rig.as({ bearer }) };
}

/** Grace, who holds a role that grants these, and nothing else. */
async function colleague(...permissionIds: string[]) {
  const roleId = await administration.newRole("automations:write", ...permissionIds);
  await ada.members.setMemberRoles({ memberId: grace.memberId, roleIds: [roleId] });
  return { ...grace, roleId };
}

describe("what a member delegates", () => {
  it("is done in the member's name, and opens what was let and nothing else", async () => {
    const { delegationId, bearer } = await given(ada, "training:command", "metrics:read", "metrics:read");
    expect(await opened(bearer)).toEqual({
      memberId: administration.rig.acme.administrator?.id,
      permissions: ["metrics:read", "training:command"],
      credentialId: `delegation:${delegationId}`,
    });
  });

  it("is answered again when it is asked for again, and once to five at once", async () => {
    const wanted = { delegationId: randomUUID(), purpose, permissionIds: ["metrics:read"] };
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => ada.delegations.createDelegation(wanted)));
    const made = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(await ada.delegations.createDelegation(wanted)).toEqual(made[0]);
    expect(new Set(made.map(({ delegation }) => delegation?.createdAt?.nanos)).size).toBe(1);
  });

  it.each([
    ["for something else", { purpose: "another" }],
    ["with more permissions", { permissionIds: ["metrics:read", "training:command"] }],
    ["for other steps", { digest: "0".repeat(64) }],
  ])("keeps its id %s", async (_, change) => {
    const wanted = { delegationId: randomUUID(), purpose, permissionIds: ["metrics:read"] };
    await ada.delegations.createDelegation(wanted);
    const again = ada.delegations.createDelegation({ ...wanted, ...change });
    expect(await failureOf(again)).toMatchObject({ code: Code.AlreadyExists, reason: "DELEGATION_TAKEN" });
  });

  it("keeps its id before a colleague who may do the same", async () => {
    const { clients } = await colleague("metrics:read");
    const wanted = { delegationId: randomUUID(), purpose, permissionIds: ["metrics:read"] };
    await ada.delegations.createDelegation(wanted);
    expect(await failureOf(clients.delegations.createDelegation(wanted))).toMatchObject({ reason: "DELEGATION_TAKEN" });
  });

  it("names the permission that its giver lacks", async () => {
    const { clients } = await colleague("metrics:read");
    const failure = await failureOf(given(clients, "metrics:read", "training:command"));
    expect(failure).toMatchObject({ code: Code.PermissionDenied, metadata: { permission: "training:command" } });
  });

  it("names every permission that does not exist", async () => {
    expect((await failureOf(given(ada, "no:such", "metrics:read", "none"))).fields).toEqual([
      ["permission_ids[0]", "PERMISSION_UNKNOWN"],
      ["permission_ids[2]", "PERMISSION_UNKNOWN"],
    ]);
  });

  it("cannot be handed on", async () => {
    const { bearer } = await given(ada, "automations:write");
    const failure = await failureOf(given(administration.rig.as({ bearer }), "automations:write"));
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "CALLER_IS_DELEGATED" });
  });
});

describe("what the giver may no longer do", () => {
  it("is no longer opened, and is again once they may", async () => {
    const { roleId, clients } = await colleague("metrics:read", "training:command");
    const { bearer } = await given(clients, "metrics:read", "training:command");
    const change = (...permissionIds: string[]) => ada.roles.updateRole({ roleId, name: "R", permissionIds });
    await change("metrics:read");
    expect((await opened(bearer)).permissions).toEqual(["metrics:read"]);
    await change("metrics:read", "training:command", "dictionary:write");
    expect((await opened(bearer)).permissions).toEqual(["metrics:read", "training:command"]);
  });

  it("opens nothing at all when they are deactivated", async () => {
    const { memberId, clients } = await colleague("metrics:read");
    const { bearer } = await given(clients, "metrics:read");
    await ada.members.deactivateMember({ memberId });
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "MEMBER_INACTIVE" });
    await ada.members.reactivateMember({ memberId });
    expect((await opened(bearer)).permissions).toEqual(["metrics:read"]);
  });
});

describe("what an API key delegates", () => {
  const permissionIds = ["automations:write", "metrics:read"];

  it("names no member, and ends with the key", async () => {
    const { apiKey, secret } = await ada.apiKeys.createApiKey({ name: "giver", permissionIds });
    const { bearer } = await given(administration.rig.as({ apiKey: secret }), "metrics:read");
    expect(await opened(bearer)).toMatchObject({ memberId: undefined, permissions: ["metrics:read"] });
    await ada.apiKeys.revokeApiKey({ apiKeyId: apiKey?.id ?? "" });
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_REVOKED" });
  });

  it("is believed no longer than the key lives", async () => {
    const end = BigInt(Math.floor(Date.now() / 1000) + 20);
    const expiresAt = { seconds: end, nanos: 0 };
    const { secret } = await ada.apiKeys.createApiKey({ name: "short", permissionIds, expiresAt });
    const { bearer } = await given(administration.rig.as({ apiKey: secret }), "metrics:read");
    const { caller } = await ada.credentials.exchangeCredential({ bearer });
    expect(caller?.expiresAt?.seconds).toBe(end);
  });
});

describe("a delegation that is revoked", () => {
  it("opens nothing from then on, is revoked once, and does not come back", async () => {
    const { delegationId, bearer } = await given(ada, "metrics:read");
    const first = await ada.delegations.revokeDelegation({ delegationId });
    expect(first.delegation?.revokedAt).toBeDefined();
    expect(await ada.delegations.revokeDelegation({ delegationId })).toEqual(first);
    expect(await refusal(bearer)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_REVOKED" });
    const again = ada.delegations.createDelegation({ delegationId, purpose, permissionIds: ["metrics:read"] });
    expect(await failureOf(again)).toMatchObject({ reason: "DELEGATION_TAKEN" });
  });

  it("is another organisation's business when it is another organisation's", async () => {
    const { delegationId, bearer } = await given(ada, "metrics:read");
    const failure = await failureOf(administration.globex.delegations.revokeDelegation({ delegationId }));
    expect(failure.code).toBe(Code.NotFound);
    expect((await opened(bearer)).permissions).toEqual(["metrics:read"]);
  });

  it("stands in the audit log with its beginning", async () => {
    const { delegationId } = await given(ada, "metrics:read");
    await ada.delegations.revokeDelegation({ delegationId });
    await eventually(async () => {
      const { records } = await ada.audit.listAuditRecords({ entityId: delegationId });
      const actions = records.map(({ action }) => action);
      return actions.join() === "identity.delegation.revoked,identity.delegation.created";
    });
  });
});

describe("a bearer that is no delegation's", () => {
  it("is unknown, be its proof wrong or its delegation never given", async () => {
    const organisationId = administration.rig.acme.organisation?.id ?? "";
    const { delegationId } = await given(ada, "metrics:read");
    const elsewhere = administration.rig.globex.organisation?.id ?? "";
    const wrong = delegationCredential("a secret that identity has not, of some length", {
      organisationId,
      delegationId,
    });
    const bearers = [
      wrong,
      bearerOf(organisationId, randomUUID()),
      bearerOf(elsewhere, delegationId),
      "aid_",
      "aid_a.b.c",
    ];
    for (const bearer of bearers) {
      expect([bearer, await refusal(bearer)]).toEqual([
        bearer,
        expect.objectContaining({
          code: Code.Unauthenticated,
          reason: "CREDENTIAL_UNKNOWN",
          message: "The delegation is unknown",
        }),
      ]);
    }
  });
});

describe("a system role", () => {
  it("that lacks the permission to write automations cannot delegate", async () => {
    const { clients } = await joined("mallory", systemRole("viewer"));
    expect(await failureOf(given(clients, "metrics:read"))).toMatchObject({
      metadata: { permission: "automations:write" },
    });
  });
});
