import { randomUUID } from "node:crypto";
import { CredentialChangedSchema, MemberDeactivatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { MemberStatus, type NewMember } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { connectEventStream, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { systemRolesOf } from "../src/roles/system-roles.ts";
import { eventually, reachable } from "./eventually.ts";
import {
  Code,
  failureOf,
  type IdentityClients,
  type IdentityRig,
  operatorKey,
  startIdentityRig,
} from "./identity-rig.ts";

let rig: IdentityRig;
let operator: IdentityClients;
let acme: IdentityClients;
let globex: IdentityClients;
beforeAll(async () => {
  rig = await startIdentityRig();
  operator = rig.as({ bearer: operatorKey });
  acme = rig.as({ bearer: await rig.provider.token("ada") });
  globex = rig.as({ apiKey: rig.globex.apiKeySecret });
});
afterAll(async () => await rig[Symbol.asyncDispose]());

const roleId = (slug: string) => systemRolesOf("", new Set()).find((role) => role.slug === slug)?.id ?? "";
const person = (name: string): Pick<NewMember, "displayName" | "email" | "issuer" | "subject"> => ({
  displayName: name,
  email: `${name}@people.test`,
  issuer: rig.provider.issuer,
  subject: `${name}-${randomUUID()}`,
});
const newMember = async (name: string, roleIds: string[] = []) => {
  const { member } = await acme.members.createMember({ member: person(name), roleIds });
  return member?.id ?? "";
};
/** Clients of acme that hold only these permissions. */
const limitedTo = async (...permissionIds: string[]) => {
  const { secret } = await acme.apiKeys.createApiKey({ name: permissionIds.join(" "), permissionIds });
  return rig.as({ apiKey: secret });
};

describe("creating an organisation", () => {
  it("makes its administrator and a key that may do what an administrator may", () => {
    const { organisation, administrator, apiKey } = rig.acme;
    expect(administrator).toMatchObject({
      organisationId: organisation?.id,
      status: MemberStatus.ACTIVE,
      roleIds: [roleId("administrator")],
    });
    expect(apiKey?.permissionIds).toEqual(expect.arrayContaining(["apikeys:manage", "training:override"]));
    expect(apiKey?.permissionIds).not.toContain("organisations:manage");
  });

  it("is refused whole when the slug is taken, even twenty times at once", async () => {
    const slug = `twenty-${randomUUID().slice(0, 8)}`;
    const found = () =>
      operator.organisations.createOrganisation({ slug, name: "Twenty", administrator: person("twenty") });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, found));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: Code.AlreadyExists });
  });

  it.each([
    ["looks like an id", () => ({ slug: randomUUID() }), "slug"],
    ["names a subject without issuer", () => ({ administrator: { ...person("x"), issuer: "" } }), "issuer"],
  ])("points at the field when it %s", async (_, change, field) => {
    const wanted = { slug: "never", name: "Never", administrator: person("never") };
    const failure = await failureOf(operator.organisations.createOrganisation({ ...wanted, ...change() }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [field] });
  });

  it("is for the operator alone", async () => {
    const wanted = { slug: "mine", name: "Mine", administrator: person("mine") };
    const failure = await failureOf(acme.organisations.createOrganisation(wanted));
    expect(failure).toMatchObject({ code: Code.PermissionDenied, message: "Missing permission: organisations:manage" });
  });

  it("gives the operator none of its own", async () => {
    expect((await failureOf(operator.organisations.getOrganisation({}))).code).toBe(Code.NotFound);
  });
});

describe("roles", () => {
  it("are the system's first, then the organisation's own by creation", async () => {
    const slugs = ["reviewer", "auditor"];
    for (const slug of slugs) await acme.roles.createRole({ name: slug, slug, permissionIds: ["metrics:read"] });
    const { roles } = await acme.roles.listRoles({});
    expect(roles.map(({ slug }) => slug)).toEqual([
      "administrator",
      "engineer",
      "supervisor",
      "trainer",
      "viewer",
      ...slugs,
    ]);
    expect(new Set(roles.map(({ organisationId }) => organisationId))).toEqual(new Set([rig.acme.organisation?.id]));
    expect((await globex.roles.listRoles({})).roles).toHaveLength(5);
  });

  it("keep their permissions in order, without repeats, or have none", async () => {
    const permissionIds = ["training:command", "metrics:read", "training:command"];
    const { role } = await acme.roles.createRole({ name: "Ordered", slug: "ordered", permissionIds });
    expect(role).toMatchObject({ isSystem: false, permissionIds: ["training:command", "metrics:read"] });
    const { role: empty } = await acme.roles.createRole({ name: "Empty", slug: "empty", permissionIds: [] });
    expect(empty?.permissionIds).toEqual([]);
  });

  it.each([["administrator"], ["taken"]])("cannot use a slug that is taken: %s", async (slug) => {
    const create = () => acme.roles.createRole({ name: "Taken", slug, permissionIds: [] });
    if (slug === "taken") await create();
    expect(await failureOf(create())).toMatchObject({ code: Code.AlreadyExists, reason: "SLUG_TAKEN" });
  });

  it("may use a slug that another organisation uses", async () => {
    const wanted = { name: "Both", slug: "both", permissionIds: [] };
    await acme.roles.createRole(wanted);
    await expect(globex.roles.createRole(wanted)).resolves.toMatchObject({ role: { slug: "both" } });
  });

  it("cannot grant what does not exist", async () => {
    const wanted = { name: "X", slug: "x", permissionIds: ["metrics:read", "metrics:forge"] };
    const failure = await failureOf(acme.roles.createRole(wanted));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: ["permission_ids[1]"] });
  });

  it("cannot grant what their maker lacks", async () => {
    const narrow = await limitedTo("roles:manage", "metrics:read");
    const wanted = { name: "X", slug: "x", permissionIds: ["metrics:read", "training:override"] };
    expect(await failureOf(narrow.roles.createRole(wanted))).toMatchObject({
      code: Code.PermissionDenied,
      message: "Missing permission: training:override",
      metadata: { permission: "training:override" },
    });
  });
});

describe("members", () => {
  it("have their e-mail address in lower case, unique in the organisation", async () => {
    const wanted = { ...person("case"), email: "Case@People.Test" };
    const { member } = await acme.members.createMember({ member: wanted });
    expect(member?.email).toBe("case@people.test");
    const again = acme.members.createMember({ member: { ...wanted, subject: randomUUID() } });
    expect(await failureOf(again)).toMatchObject({ code: Code.AlreadyExists, metadata: { taken: "email" } });
    await expect(globex.members.createMember({ member: wanted })).resolves.toBeDefined();
  });

  it("have a subject that is unique with its issuer, unless no issuer knows them", async () => {
    const wanted = person("unique");
    await acme.members.createMember({ member: wanted });
    const again = acme.members.createMember({ member: { ...wanted, email: "other@people.test" } });
    expect(await failureOf(again)).toMatchObject({ code: Code.AlreadyExists, metadata: { taken: "subject" } });
    for (const name of ["first", "second"]) {
      const unknown = { ...person(name), issuer: "", subject: "" };
      await expect(acme.members.createMember({ member: unknown })).resolves.toBeDefined();
    }
  });

  it("cannot be given roles that grant what their maker lacks", async () => {
    const narrow = await limitedTo("members:manage", "metrics:read", "workspaces:read");
    await expect(
      narrow.members.createMember({ member: person("low"), roleIds: [roleId("viewer")] }),
    ).resolves.toBeDefined();
    const high = narrow.members.createMember({ member: person("high"), roleIds: [roleId("trainer")] });
    expect(await failureOf(high)).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "metrics:report" },
    });
  });

  it("keep the roles they have when somebody who lacks those changes the others", async () => {
    const memberId = await newMember("keeper", [roleId("supervisor")]);
    const narrow = await limitedTo("members:manage", "metrics:read", "workspaces:read");
    const both = [roleId("supervisor"), roleId("viewer")];
    const { member } = await narrow.members.setMemberRoles({ memberId, roleIds: both });
    expect(member?.roleIds).toEqual(both);
    const grant = narrow.members.setMemberRoles({ memberId, roleIds: [...both, roleId("administrator")] });
    expect((await failureOf(grant)).code).toBe(Code.PermissionDenied);
  });

  it("are listed by creation, and only one's own", async () => {
    const id = await newMember("listed");
    const ours = (await acme.members.listMembers({})).members;
    expect(ours.at(0)?.id).toBe(rig.acme.administrator?.id);
    expect(ours.at(-1)?.id).toBe(id);
    expect((await globex.members.listMembers({})).members.map((member) => member.id)).not.toContain(id);
  });
});

describe("API keys", () => {
  it("are shown once, and known by their last four characters", async () => {
    const { secret, apiKey } = await acme.apiKeys.createApiKey({ name: "once", permissionIds: ["metrics:read"] });
    expect(secret).toMatch(/^aip_[0-9A-Za-z]{39}$/);
    const { apiKeys } = await acme.apiKeys.listApiKeys({});
    expect(apiKeys.find(({ id }) => id === apiKey?.id)).toMatchObject({ name: "once", lastFour: secret.slice(-4) });
    expect(JSON.stringify(apiKeys, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      secret,
    );
  });

  it.each([
    ["what their maker lacks", ["organisations:manage"], Code.PermissionDenied, []],
    ["what does not exist", ["metrics:forge"], Code.InvalidArgument, ["permission_ids[0]"]],
  ])("cannot hold %s", async (_, permissionIds, code, fields) => {
    const failure = await failureOf(acme.apiKeys.createApiKey({ name: "x", permissionIds }));
    expect(failure).toMatchObject({ code, fields });
  });

  it("cannot have ended before they begin", async () => {
    const wanted = { name: "x", permissionIds: ["metrics:read"], expiresAt: timestampFromMs(Date.now() - 1) };
    const failure = await failureOf(acme.apiKeys.createApiKey(wanted));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: ["expires_at"] });
  });

  it("open nothing once they have ended, and no context outlives them", async () => {
    const end = Date.now() + 1_500;
    const wanted = { name: "brief", permissionIds: ["metrics:read"], expiresAt: timestampFromMs(end) };
    const { secret } = await acme.apiKeys.createApiKey(wanted);
    const exchange = () => rig.as({}).credentials.exchangeCredential({ apiKey: secret });
    const { caller } = await exchange();
    expect(Number(caller?.expiresAt?.seconds)).toBeLessThanOrEqual(end / 1000);
    await eventually(() => Date.now() > end);
    expect(await failureOf(exchange())).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_EXPIRED" });
  });
});

describe("ids of another organisation", () => {
  it.each([
    ["a key to revoke", () => acme.apiKeys.revokeApiKey({ apiKeyId: rig.globex.apiKey?.id ?? "" })],
    ["a member to deactivate", () => acme.members.deactivateMember({ memberId: rig.globex.administrator?.id ?? "" })],
    ["a member to give roles", () => acme.members.setMemberRoles({ memberId: rig.globex.administrator?.id ?? "" })],
    [
      "a role to give",
      async () => acme.members.createMember({ member: person("stray"), roleIds: [await foreignRole()] }),
    ],
  ])("are answered like ids that do not exist: %s", async (_, call) => {
    const random = await failureOf(acme.apiKeys.revokeApiKey({ apiKeyId: randomUUID() }));
    expect(random).toMatchObject({ code: Code.NotFound, message: "Not found" });
    expect(await failureOf(call())).toEqual(random);
  });

  const foreignRole = async () => {
    const slug = `foreign-${randomUUID().slice(0, 8)}`;
    const { role } = await globex.roles.createRole({ name: "Foreign", slug, permissionIds: [] });
    return role?.id ?? "";
  };

  it("and what they stand for stay as they were", async () => {
    const { members } = await globex.members.listMembers({});
    expect(members.find(({ id }) => id === rig.globex.administrator?.id)).toEqual(rig.globex.administrator);
    const { apiKeys } = await globex.apiKeys.listApiKeys({});
    expect(apiKeys[0]?.revokedAt).toBeUndefined();
  });
});

describe("a write that is repeated", () => {
  let stream: EventStream;
  const announced: string[] = [];
  beforeAll(async () => {
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.config;
    stream = await connectEventStream({ servers, name: "identity tests", streamName });
    for (const schema of [CredentialChangedSchema, MemberDeactivatedSchema]) {
      stream.listen(eventSubject(schema), ({ subject }) => announced.push(subject));
    }
    await reachable(stream);
  });
  afterAll(async () => await stream.close());

  /** Every announcement about the entity, once one that was made after it has come. */
  const announcementsOf = async (id: string) => {
    const { apiKey } = await acme.apiKeys.createApiKey({ name: "last", permissionIds: ["metrics:read"] });
    const last = apiKey?.id ?? "";
    await acme.apiKeys.revokeApiKey({ apiKeyId: last });
    await eventually(() => announced.some((subject) => subject.endsWith(last)));
    return announced
      .filter((subject) => subject.endsWith(id))
      .map((subject) => subject.split(".").slice(2, 4).join("."));
  };

  it("revokes a key once, at the first time", async () => {
    const { apiKey } = await acme.apiKeys.createApiKey({ name: "again", permissionIds: ["metrics:read"] });
    const apiKeyId = apiKey?.id ?? "";
    const answers = await Promise.all(Array.from({ length: 5 }, () => acme.apiKeys.revokeApiKey({ apiKeyId })));
    expect(new Set(answers.map((answer) => answer.apiKey?.revokedAt?.nanos)).size).toBe(1);
    expect(await announcementsOf(apiKeyId)).toEqual(["credential.changed"]);
  });

  it("deactivates a member once", async () => {
    const memberId = await newMember("leaver");
    const answers = await Promise.all(Array.from({ length: 5 }, () => acme.members.deactivateMember({ memberId })));
    expect(new Set(answers.map(({ member }) => member?.status))).toEqual(new Set([MemberStatus.INACTIVE]));
    expect(await announcementsOf(memberId)).toEqual(["credential.changed", "member.deactivated"]);
  });

  it("sets a member's roles once", async () => {
    const memberId = await newMember("mover");
    const roleIds = [roleId("viewer"), roleId("trainer"), roleId("viewer")];
    for (const wanted of [roleIds, roleIds, roleIds.toReversed()]) {
      const { member } = await acme.members.setMemberRoles({ memberId, roleIds: wanted });
      expect(member?.roleIds).toEqual([roleId("viewer"), roleId("trainer")]);
    }
    expect(await announcementsOf(memberId)).toEqual(["credential.changed"]);
  });
});
