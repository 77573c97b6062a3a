import { randomUUID } from "node:crypto";
import { MemberStatus } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { eventually, failureOf } from "@aiplatform/testkit";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemRolesOf } from "../src/roles/system-roles.ts";
import { type AdministrationRig, startAdministrationRig, systemRole } from "./administration-rig.ts";
import type { IdentityClients, IdentityRig } from "./identity-rig.ts";

let administration: AdministrationRig;
let rig: IdentityRig;
let acme: IdentityClients;
let globex: IdentityClients;
let replica: Pick<IdentityRig, "as">;
beforeAll(async () => {
  administration = await startAdministrationRig();
  ({ rig, acme, globex } = administration);
  replica = await administration.startReplica();
});
afterAll(async () => await administration[Symbol.asyncDispose]());

const viewing = systemRolesOf("", new Set()).find(({ slug }) => slug === "viewer")?.permissionIds ?? [];
const lastAdministrator = { code: Code.FailedPrecondition, reason: "LAST_ADMINISTRATOR" };

describe("adding a member", () => {
  it("keeps the e-mail address in lower case, unique in the organisation", async () => {
    const wanted = { ...administration.person("case"), email: "Case@People.Test" };
    const { member } = await acme.members.createMember({ member: wanted });
    expect(member).toMatchObject({ email: "case@people.test", status: MemberStatus.ACTIVE });
    const again = acme.members.createMember({ member: { ...wanted, subject: randomUUID() } });
    expect(await failureOf(again)).toMatchObject({ code: Code.AlreadyExists, metadata: { taken: "email" } });
    await expect(globex.members.createMember({ member: wanted })).resolves.toBeDefined();
  });

  it("keeps a subject unique with its issuer", async () => {
    const wanted = administration.person("unique");
    await acme.members.createMember({ member: wanted });
    const again = acme.members.createMember({ member: { ...wanted, email: "other@people.test" } });
    expect(await failureOf(again)).toMatchObject({ code: Code.AlreadyExists, metadata: { taken: "subject" } });
  });

  it("invites whom no issuer knows yet, as many as there are", async () => {
    for (const name of ["first", "second"]) {
      const unknown = { ...administration.person(name), issuer: "", subject: "" };
      const { member } = await acme.members.createMember({ member: unknown });
      expect(member?.status).toBe(MemberStatus.INVITED);
    }
  });

  it("lets no token in by an invitation that no member has taken up", async () => {
    const invited = { displayName: "Mallory", email: "mallory@acme.test", issuer: "", subject: "" };
    await acme.members.createMember({ member: invited, roleIds: [systemRole("viewer")] });
    const exchange = rig.as({}).credentials.exchangeCredential({ bearer: await rig.provider.token("mallory") });
    expect(await failureOf(exchange)).toMatchObject({ code: Code.Unauthenticated, reason: "MEMBER_UNKNOWN" });
  });

  it("grants no role that grants what its maker lacks", async () => {
    const narrow = await administration.limitedTo("members:manage", ...viewing);
    const add = (slug: string) =>
      narrow.members.createMember({ member: administration.person(slug), roleIds: [systemRole(slug)] });
    await expect(add("viewer")).resolves.toBeDefined();
    expect(await failureOf(add("trainer"))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "metrics:report" },
    });
  });
});

describe("the list of members", () => {
  it("is by creation, and of one's own organisation", async () => {
    const id = await administration.newMember("listed");
    const ours = (await acme.members.listMembers({})).members;
    expect(ours.at(0)?.id).toBe(rig.acme.administrator?.id);
    expect(ours.at(-1)?.id).toBe(id);
    expect((await globex.members.listMembers({})).members.map((member) => member.id)).not.toContain(id);
  });

  it("comes in pages that join, also when members are added meanwhile", async () => {
    for (let round = 0; round < 5; round++) await administration.newMember("paged");
    const before = (await acme.members.listMembers({})).members.map(({ id }) => id);
    const ids: string[] = [];
    let cursor = "";
    do {
      const page = await acme.members.listMembers({ limit: 2, cursor });
      ids.push(...page.members.map(({ id }) => id));
      cursor = page.nextCursor;
      if (ids.length < 5) await administration.newMember("late");
    } while (cursor !== "");
    expect(ids.slice(0, before.length)).toEqual(before);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(before.length + 2);
  });

  it("holds each member as it is read alone", async () => {
    const { members } = await acme.members.listMembers({ limit: 3 });
    for (const member of members)
      expect((await acme.members.getMember({ memberId: member.id })).member).toEqual(member);
  });

  it("tells to the minute when a token of a member was last seen", async () => {
    const bearer = await rig.provider.token("ada");
    const before = Date.now();
    await rig.as({}).credentials.exchangeCredential({ bearer });
    const memberId = rig.acme.administrator?.id ?? "";
    const seen = async () => (await acme.members.getMember({ memberId })).member?.lastSeenAt;
    await eventually(async () => (await seen()) !== undefined);
    const at = await seen();
    const time = at ? timestampDate(at).getTime() : 0;
    expect(time % 60_000).toBe(0);
    expect(Math.abs(time - before)).toBeLessThan(120_000);
  });
});

describe("setting a member's roles", () => {
  it("leaves those that the caller lacks when the caller changes the others", async () => {
    const memberId = await administration.newMember("keeper", [systemRole("supervisor")]);
    const narrow = await administration.limitedTo("members:manage", ...viewing);
    const both = [systemRole("supervisor"), systemRole("viewer")];
    const { member } = await narrow.members.setMemberRoles({ memberId, roleIds: both });
    expect(member?.roleIds).toEqual(both);
    const grant = narrow.members.setMemberRoles({ memberId, roleIds: [...both, systemRole("administrator")] });
    expect((await failureOf(grant)).code).toBe(Code.PermissionDenied);
  });
});

describe("reactivating a member", () => {
  it.each([
    ["gives access back", {}, MemberStatus.ACTIVE],
    ["renews an invitation", { issuer: "", subject: "" }, MemberStatus.INVITED],
  ])("%s", async (_, change, status) => {
    const member = { ...administration.person("returner"), ...change };
    const made = await acme.members.createMember({ member, roleIds: [systemRole("viewer")] });
    const memberId = made.member?.id ?? "";
    expect(made.member?.status).toBe(status);
    const deactivated = await acme.members.deactivateMember({ memberId });
    expect(deactivated.member?.status).toBe(MemberStatus.INACTIVE);
    expect((await acme.members.reactivateMember({ memberId })).member).toEqual(made.member);
    expect((await acme.members.getMember({ memberId })).member).toEqual(made.member);
  });

  it("does not give back what the caller lacks", async () => {
    const memberId = await administration.newMember("mighty", [systemRole("supervisor")]);
    await acme.members.deactivateMember({ memberId });
    const narrow = await administration.limitedTo("members:manage", ...viewing);
    const failure = await failureOf(narrow.members.reactivateMember({ memberId }));
    expect(failure).toMatchObject({ code: Code.PermissionDenied, metadata: { permission: "training:command" } });
    expect((await acme.members.getMember({ memberId })).member?.status).toBe(MemberStatus.INACTIVE);
  });
});

describe("deactivating a member, whose keys went on working", () => {
  it("revokes the keys that they made, unless these are kept on purpose", async () => {
    const member = { ...administration.person("leaver"), subject: "grace" };
    const made = await acme.members.createMember({ member, roleIds: [systemRole("administrator")] });
    const memberId = made.member?.id ?? "";
    const clients = rig.as({ bearer: await rig.provider.token("grace") });
    const { secret } = await clients.apiKeys.createApiKey({ name: "leaver", permissionIds: ["members:manage"] });
    const byKey = rig.as({ apiKey: secret });
    await acme.members.deactivateMember({ memberId, keepApiKeys: true });
    await byKey.members.listMembers({});
    await acme.members.deactivateMember({ memberId });
    const { reason } = await eventually(() => failureOf(byKey.members.listMembers({})).catch(() => undefined));
    expect(reason).toBe("CREDENTIAL_REVOKED");
    const { apiKeys } = await acme.apiKeys.listApiKeys({ createdByMemberId: memberId });
    expect(apiKeys.map(({ name, revokedAt }) => [name, revokedAt !== undefined])).toEqual([["leaver", true]]);
  });
});

describe("the last active administrator", () => {
  /** An organisation of its own with this many active administrators, their ids, and its clients. */
  const organisationOf = async (administrators: number, first = administration.person("first")) => {
    const slug = `o-${randomUUID()}`.slice(0, 40);
    const wanted = { slug, name: slug, administrator: first };
    const found = await administration.operator.organisations.createOrganisation(wanted);
    const { members } = rig.as({ apiKey: found.apiKeySecret });
    const ids = [found.administrator?.id ?? ""];
    while (ids.length < administrators) {
      const member = administration.person("further");
      const made = await members.createMember({ member, roleIds: [systemRole("administrator")] });
      ids.push(made.member?.id ?? "");
    }
    return { members, elsewhere: replica.as({ apiKey: found.apiKeySecret }).members, ids };
  };

  const invitation = () => ({ ...administration.person("invited"), issuer: "", subject: "" });
  const waysOut = [
    [
      "be deactivated",
      (members: IdentityClients["members"], memberId: string) => members.deactivateMember({ memberId }),
    ],
    [
      "lose the role",
      (members: IdentityClients["members"], memberId: string) =>
        members.setMemberRoles({ memberId, roleIds: [systemRole("viewer")] }),
    ],
  ] as const;

  it.each(waysOut)("cannot %s, however many are invited or inactive", async (_, takeOut) => {
    const { members, ids } = await organisationOf(2);
    const invited = invitation();
    await members.createMember({ member: invited, roleIds: [systemRole("administrator")] });
    const [first = "", second = ""] = ids;
    await expect(takeOut(members, first)).resolves.toBeDefined();
    expect(await failureOf(takeOut(members, second))).toMatchObject(lastAdministrator);
    const stays = await members.getMember({ memberId: second });
    expect(stays.member).toMatchObject({ status: MemberStatus.ACTIVE, roleIds: [systemRole("administrator")] });
  });

  it.each(waysOut)("cannot %s while only invited: a key would lock the organisation out", async (_, takeOut) => {
    const { members, ids } = await organisationOf(1, invitation());
    const [first = ""] = ids;
    expect(await failureOf(takeOut(members, first))).toMatchObject(lastAdministrator);
    await members.createMember({ member: invitation(), roleIds: [systemRole("administrator")] });
    await expect(takeOut(members, first)).resolves.toBeDefined();
  });

  it("may be given further roles", async () => {
    const { members, ids } = await organisationOf(1);
    const roleIds = [systemRole("viewer"), systemRole("administrator")];
    await expect(members.setMemberRoles({ memberId: ids[0] ?? "", roleIds })).resolves.toBeDefined();
  });

  it("remains when all administrators are taken out at once, here and at another replica", async () => {
    for (let round = 0; round < 9; round++) {
      const { members, elsewhere, ids } = await organisationOf(2 + (round % 3));
      const clients = round % 2 === 0 ? [members, elsewhere] : [members, members];
      const takeOut = (memberId: string, index: number) =>
        index % 2 === 0
          ? clients[0]?.deactivateMember({ memberId })
          : clients[1]?.setMemberRoles({ memberId, roleIds: [] });
      const outcomes = await Promise.allSettled(ids.map(takeOut));
      const refused = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(refused).toHaveLength(1);
      expect(await failureOf(Promise.reject(refused[0]?.reason))).toMatchObject(lastAdministrator);
      const active = (await members.listMembers({})).members.filter(
        ({ status, roleIds }) => status === MemberStatus.ACTIVE && roleIds.includes(systemRole("administrator")),
      );
      expect(active).toHaveLength(1);
    }
  });
});

describe("asking who stands behind ids of members", () => {
  it("answers each of the organisation once, and leaves out all other ids", async () => {
    const member = await administration.newMember("reader");
    const { members: foreign } = await globex.members.listMembers({});
    const memberIds = [member.toUpperCase(), member, randomUUID(), foreign[0]?.id ?? ""];
    const { members } = await acme.members.resolveMembers({ memberIds });
    expect(members.map(({ id, displayName, isActive }) => ({ id, displayName, isActive }))).toEqual([
      { id: member, displayName: "reader", isActive: true },
    ]);
  });

  it("says who may not act", async () => {
    const member = await administration.newMember("gone");
    await acme.members.deactivateMember({ memberId: member });
    const { members } = await acme.members.resolveMembers({ memberIds: [member] });
    expect(members).toMatchObject([{ id: member, isActive: false }]);
  });

  it("is for who may write e-mails", async () => {
    const reader = await administration.limitedTo("metrics:read");
    expect(await failureOf(reader.members.resolveMembers({ memberIds: [] }))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "emails:write" },
    });
  });
});
