import { randomUUID } from "node:crypto";
import { connectDocumentStore, encodeCursor } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RoleStore } from "../src/roles/role-store.ts";
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

const systemSlugs = ["administrator", "engineer", "supervisor", "trainer", "viewer"];

describe("the catalogue of permissions", () => {
  it("is open to every caller, and leaves out what no role can hold", async () => {
    const limited = await administration.limitedTo("metrics:read");
    const { permissions } = await limited.roles.listPermissions({});
    const ids = permissions.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(ids).toEqual(expect.arrayContaining(["roles:manage", "training:override"]));
    expect(ids).not.toContain("organisations:manage");
  });

  it("holds what a role can be given, all at once", async () => {
    const { permissions } = await acme.roles.listPermissions({});
    const permissionIds = permissions.map(({ id }) => id);
    const { role } = await acme.roles.createRole({ name: "All", slug: "all", permissionIds });
    expect(role?.permissionIds).toEqual(permissionIds);
  });
});

describe("the list of roles", () => {
  it("has the system's first, then the organisation's own by creation", async () => {
    const before = (await acme.roles.listRoles({})).roles.length;
    const slugs = ["reviewer", "auditor"];
    for (const slug of slugs) await acme.roles.createRole({ name: slug, slug, permissionIds: ["metrics:read"] });
    const { roles } = await acme.roles.listRoles({});
    expect(roles.slice(0, 5).map(({ slug }) => slug)).toEqual(systemSlugs);
    expect(roles.slice(before).map(({ slug }) => slug)).toEqual(slugs);
    expect(new Set(roles.map(({ organisationId }) => organisationId))).toEqual(new Set([rig.acme.organisation?.id]));
    expect((await globex.roles.listRoles({})).roles).toHaveLength(5);
  });

  it("comes in pages that join without gap or repeat, across the system's and one's own", async () => {
    for (let round = 0; round < 4; round++) await administration.newRole("metrics:read");
    const { roles, nextCursor } = await acme.roles.listRoles({});
    expect(nextCursor).toBe("");
    for (const limit of [1, 3, 5, roles.length]) {
      const ids: string[] = [];
      let cursor = "";
      do {
        const page = await acme.roles.listRoles({ limit, cursor });
        expect(page.roles.length).toBeLessThanOrEqual(limit);
        ids.push(...page.roles.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== "");
      expect(ids).toEqual(roles.map(({ id }) => id));
    }
  });

  it.each([
    ["nonsense", "nonsense"],
    ["one of another list", encodeCursor(["a", "b", "c"])],
  ])("points at a cursor that is %s", async (_, cursor) => {
    expect(await failureOf(acme.roles.listRoles({ cursor }))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [["cursor", "CURSOR_INVALID"]],
    });
  });

  it("holds each role as it is read alone", async () => {
    const { roles } = await acme.roles.listRoles({ limit: 6 });
    for (const role of roles) expect((await acme.roles.getRole({ roleId: role.id.toUpperCase() })).role).toEqual(role);
  });
});

describe("creating a role", () => {
  it("keeps permissions in order, without repeats, or none", async () => {
    const permissionIds = ["training:command", "metrics:read", "training:command"];
    const { role } = await acme.roles.createRole({ name: " Ordered ", slug: "ordered", permissionIds });
    expect(role).toMatchObject({
      name: "Ordered",
      isSystem: false,
      permissionIds: ["training:command", "metrics:read"],
    });
    const { role: empty } = await acme.roles.createRole({ name: "Empty", slug: "empty", permissionIds: [] });
    expect(empty?.permissionIds).toEqual([]);
  });

  it.each([...systemSlugs, "taken"])("cannot use a slug that is taken: %s", async (slug) => {
    const create = () => acme.roles.createRole({ name: "Taken", slug, permissionIds: [] });
    if (slug === "taken") await create();
    expect(await failureOf(create())).toMatchObject({ code: Code.AlreadyExists, reason: "SLUG_TAKEN" });
  });

  it("may use a slug that another organisation uses", async () => {
    const wanted = { name: "Both", slug: "both", permissionIds: [] };
    await acme.roles.createRole(wanted);
    await expect(globex.roles.createRole(wanted)).resolves.toMatchObject({ role: { slug: "both" } });
  });

  it("makes one of twenty that want the same slug at once", async () => {
    const wanted = { name: "Rush", slug: "rush", permissionIds: [] };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => acme.roles.createRole(wanted)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: Code.AlreadyExists });
    }
  });

  it("is told every problem at once", async () => {
    const wanted = { name: " ", slug: "x", permissionIds: ["metrics:forge", "metrics:read", "metrics:burn"] };
    expect(await failureOf(acme.roles.createRole(wanted))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["name", "STRING_TOO_SHORT"],
        ["permission_ids[0]", "PERMISSION_UNKNOWN"],
        ["permission_ids[2]", "PERMISSION_UNKNOWN"],
      ],
    });
  });

  it("is told the first hundred of ten thousand problems", async () => {
    const permissionIds = Array.from({ length: 10_000 }, (_, index) => `no:${index}`);
    const { code, fields } = await failureOf(acme.roles.createRole({ name: "X", slug: "x", permissionIds }));
    expect([code, fields.length]).toEqual([Code.InvalidArgument, 100]);
  });

  it("cannot grant what its maker lacks", async () => {
    const narrow = await administration.limitedTo("roles:manage", "metrics:read");
    const wanted = { name: "X", slug: "x", permissionIds: ["metrics:read", "training:override"] };
    expect(await failureOf(narrow.roles.createRole(wanted))).toMatchObject({
      code: Code.PermissionDenied,
      message: "Missing permission: training:override",
      metadata: { permission: "training:override" },
    });
  });

  it("goes on when a hundred are wanted at once", async () => {
    const made = await Promise.all(Array.from({ length: 100 }, () => administration.newRole()));
    expect(new Set(made).size).toBe(100);
  });

  it("ends at a thousand of an organisation, also for many at once at two replicas", async () => {
    const organisationId = rig.globex.organisation?.id ?? "";
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    const roles = store.database.collection<{ _id: string }>(RoleStore.indexes.collection);
    const present = await roles.countDocuments({ organisation_id: organisationId });
    await roles.insertMany(
      Array.from({ length: 997 - present }, (_, index) => ({
        _id: randomUUID(),
        organisation_id: organisationId,
        slug: `many-${index}`,
        name: "Many",
        permission_ids: [],
        created_at: new Date(),
        assignments: 0,
      })),
    );
    const clients = [globex, replica.as({ apiKey: rig.globex.apiKeySecret })];
    const create = (_: unknown, index: number) =>
      clients[index % 2]?.roles.createRole({ name: "Last", slug: `last-${index}`, permissionIds: [] });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, create));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await roles.countDocuments({ organisation_id: organisationId })).toBe(1_000);
    const more = failureOf(globex.roles.createRole({ name: "More", slug: "more", permissionIds: [] }));
    expect(await more).toMatchObject({ code: Code.FailedPrecondition, reason: "ROLE_LIMIT" });
  });
});

describe("changing a role", () => {
  it("replaces name and permissions, and leaves the slug", async () => {
    const roleId = await administration.newRole("metrics:read");
    const { role: before } = await acme.roles.getRole({ roleId });
    const permissionIds = ["training:command", "training:command"];
    const { role } = await acme.roles.updateRole({ roleId, name: " Steering ", permissionIds });
    expect(role).toEqual({ ...before, name: "Steering", permissionIds: ["training:command"] });
    expect((await acme.roles.getRole({ roleId })).role).toEqual(role);
  });

  it("is refused under the tag of another version, unless it is so already", async () => {
    const roleId = await administration.newRole("metrics:read");
    const tags: string[] = [];
    const onHeader = (header: Headers) => tags.push(header.get("etag") ?? "");
    await acme.roles.getRole({ roleId }, { onHeader });
    const change = { roleId, name: "First", permissionIds: ["metrics:read"], ifMatch: tags[0] ?? "" };
    await acme.roles.updateRole(change, { onHeader });
    expect(tags[1]).not.toBe(tags[0]);
    expect((await acme.roles.updateRole(change)).role?.name).toBe("First");
    const late = await failureOf(acme.roles.updateRole({ ...change, name: "Second" }));
    expect(late).toMatchObject({ code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" });
    expect((await acme.roles.updateRole({ ...change, name: "Second", ifMatch: "*" })).role?.name).toBe("Second");
  });

  it("lets one of two win who have read the same", async () => {
    const roleId = await administration.newRole("metrics:read");
    let ifMatch = "";
    await acme.roles.getRole({ roleId }, { onHeader: (header) => (ifMatch = header.get("etag") ?? "") });
    const rename = (name: string) => acme.roles.updateRole({ roleId, name, permissionIds: ["metrics:read"], ifMatch });
    const outcomes = await Promise.allSettled(["One", "Other"].map(rename));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("counts only what is added as granted", async () => {
    const roleId = await administration.newRole("training:override", "training:command");
    const narrow = await administration.limitedTo("roles:manage", "metrics:read");
    const update = (...permissionIds: string[]) => narrow.roles.updateRole({ roleId, name: "X", permissionIds });
    expect((await update("metrics:read", "training:override")).role?.permissionIds).toEqual([
      "metrics:read",
      "training:override",
    ]);
    expect(await failureOf(update("training:override", "training:command"))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "training:command" },
    });
  });

  it("is told every problem at once", async () => {
    const roleId = await administration.newRole();
    const failure = await failureOf(acme.roles.updateRole({ roleId, name: "\t", permissionIds: ["a:b"] }));
    expect(failure).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["name", "STRING_TOO_SHORT"],
        ["permission_ids[0]", "PERMISSION_UNKNOWN"],
      ],
    });
  });

  it.each([...systemSlugs])("is refused for the system's role %s, and so is deleting it", async (slug) => {
    const roleId = systemRole(slug);
    const refused = { code: Code.FailedPrecondition, reason: "ROLE_IS_SYSTEM" };
    expect(await failureOf(acme.roles.updateRole({ roleId, name: "Mine", permissionIds: [] }))).toMatchObject(refused);
    expect(await failureOf(acme.roles.deleteRole({ roleId }))).toMatchObject(refused);
  });
});

describe("deleting a role", () => {
  it("answers it as it was, and frees its slug", async () => {
    const roleId = await administration.newRole("metrics:read");
    const { role: before } = await acme.roles.getRole({ roleId });
    expect((await acme.roles.deleteRole({ roleId })).role).toEqual(before);
    for (const again of [() => acme.roles.getRole({ roleId }), () => acme.roles.deleteRole({ roleId })]) {
      expect((await failureOf(again())).code).toBe(Code.NotFound);
    }
    const freed = { name: "Freed", slug: before?.slug ?? "", permissionIds: [] };
    await expect(acme.roles.createRole(freed)).resolves.toBeDefined();
  });

  it.each(["active", "inactive", "invited"])("is refused while a member holds it who is %s", async (status) => {
    const roleId = await administration.newRole("metrics:read");
    const someone = administration.person("holder");
    const member = status === "invited" ? { ...someone, issuer: "", subject: "" } : someone;
    const made = await acme.members.createMember({ member, roleIds: [roleId] });
    const memberId = made.member?.id ?? "";
    if (status === "inactive") await acme.members.deactivateMember({ memberId });
    const failure = await failureOf(acme.roles.deleteRole({ roleId }));
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "ROLE_IN_USE" });
    await acme.members.setMemberRoles({ memberId, roleIds: [] });
    await expect(acme.roles.deleteRole({ roleId })).resolves.toBeDefined();
  });

  it.each([
    [
      "is given it",
      async (clients: IdentityClients, roleIds: string[]) => {
        const memberId = await administration.newMember("racer");
        return () => clients.members.setMemberRoles({ memberId, roleIds });
      },
    ],
    [
      "is added with it",
      async (clients: IdentityClients, roleIds: string[]) => {
        const member = administration.person("racer");
        return () => clients.members.createMember({ member, roleIds });
      },
    ],
  ])("excludes that a member %s at the same moment, here or at another replica", async (_, prepare) => {
    const elsewhere = replica.as({ bearer: await rig.provider.token("ada") });
    for (let round = 0; round < 8; round++) {
      const roleId = await administration.newRole("metrics:read");
      const give = await prepare(round % 2 === 0 ? acme : elsewhere, [roleId]);
      const [deleted, given] = await Promise.allSettled([acme.roles.deleteRole({ roleId }), give()]);
      expect([deleted.status, given.status].sort()).toEqual(["fulfilled", "rejected"]);
      const loser = deleted.status === "rejected" ? deleted : given;
      const wanted = deleted.status === "rejected" ? Code.FailedPrecondition : Code.NotFound;
      expect(loser).toMatchObject({ reason: { code: wanted } });
    }
    const { roles } = await acme.roles.listRoles({});
    const { members } = await acme.members.listMembers({});
    const existing = new Set(roles.map(({ id }) => id));
    expect(members.flatMap(({ roleIds }) => roleIds).filter((id) => !existing.has(id))).toEqual([]);
  });
});
