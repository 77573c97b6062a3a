import { randomUUID } from "node:crypto";
import { ListApiKeysRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import {
  ListAuditRecordsRequestSchema,
  ListInstallationAuditRecordsRequestSchema,
} from "@aiplatform/contract/aiplatform/identity/v1/audit";
import { ListExternalLinksRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { ListMembersRequestSchema, MemberStatus } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { ListRolesRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import {
  ListAssetsRequestSchema,
  ListWorkspaceAssetsRequestSchema,
  ListWorkspacesRequestSchema,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore } from "@aiplatform/document-store";
import { declaredLists, declaredQueries, failureOf, type ListQueryTexts, withoutIndex } from "@aiplatform/testkit";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig, systemRole } from "./administration-rig.ts";
import type { IdentityClients, IdentityRig } from "./identity-rig.ts";
import { proposalOf, proposedAsset } from "./workspace-organisation.ts";

let administration: AdministrationRig;
let rig: IdentityRig;
let operator: IdentityClients;
let acme: IdentityClients;
let globex: IdentityClients;
beforeAll(async () => {
  administration = await startAdministrationRig();
  ({ rig, operator, acme, globex } = administration);
});
afterAll(async () => await administration[Symbol.asyncDispose]());

describe("each filter and order of the lists of identity", () => {
  let workspaceId = "";
  beforeAll(async () => {
    const { asset } = await acme.assets.registerAsset({ name: "Sales", kind: "report" });
    const assets = [proposedAsset(asset?.id ?? "")];
    await acme.workspaces.enableFromProposal(proposalOf({ seedAssetId: asset?.id ?? "", assets }));
    const { workspaces } = await acme.workspaces.listWorkspaces({});
    workspaceId = workspaces[0]?.id ?? "";
  });

  const lists = [
    ["API keys", ListApiKeysRequestSchema, (query: ListQueryTexts) => acme.apiKeys.listApiKeys(query)],
    ["members", ListMembersRequestSchema, (query: ListQueryTexts) => acme.members.listMembers(query)],
    ["workspaces", ListWorkspacesRequestSchema, (query: ListQueryTexts) => acme.workspaces.listWorkspaces(query)],
    ["assets", ListAssetsRequestSchema, (query: ListQueryTexts) => acme.assets.listAssets(query)],
    ["roles", ListRolesRequestSchema, (query: ListQueryTexts) => acme.roles.listRoles(query)],
    ["audit records", ListAuditRecordsRequestSchema, (query: ListQueryTexts) => acme.audit.listAuditRecords(query)],
    [
      "audit records of the installation",
      ListInstallationAuditRecordsRequestSchema,
      (query: ListQueryTexts) => operator.audit.listInstallationAuditRecords(query),
    ],
    [
      "assets of a workspace",
      ListWorkspaceAssetsRequestSchema,
      (query: ListQueryTexts) => acme.workspaces.listWorkspaceAssets({ workspaceId, ...query }),
    ],
    ["links", ListExternalLinksRequestSchema, (query: ListQueryTexts) => acme.externalOauth.listExternalLinks(query)],
  ] as const;

  it("is known of every list", () => {
    const known = lists.map(([, { typeName }]) => typeName);
    expect(known.sort()).toEqual(declaredLists("identity").sort());
  });

  it.each(lists)("is answered by an index: %s", async (_name, request, ask) => {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    await using store = await connectDocumentStore({ uri, database, appName: "tests" });
    expect(await withoutIndex(store, declaredQueries(request), ask)).toEqual([]);
  });

  it("finds keys by what they have, and by what they lack", async () => {
    const name = randomUUID();
    const permissionIds = ["metrics:read"];
    await acme.apiKeys.createApiKey({ name: `${name} a`, permissionIds });
    const expiresAt = timestampFromDate(new Date("2999-01-01T00:00:00Z"));
    await acme.apiKeys.createApiKey({ name: `${name} b`, permissionIds, expiresAt });
    const prefix = `name >= "${name}" AND name < "${name}!"`;
    const found = async (filter: string) => {
      const { apiKeys } = await acme.apiKeys.listApiKeys({ filter: `${prefix} AND ${filter}`, orderBy: "name desc" });
      return apiKeys.map((key) => key.name.slice(-1));
    };
    expect(await found("expires_at:*")).toEqual(["b"]);
    expect(await found("NOT expires_at:*")).toEqual(["a"]);
    expect(await found('permission_ids:"metrics:read"')).toEqual(["b", "a"]);
    expect(await found("permission_ids = training:write")).toEqual([]);
  });
});

describe("the system's roles in a list of roles", () => {
  it("are found and ordered among the organisation's own", async () => {
    for (const slug of ["auditor", "reviewer"])
      await globex.roles.createRole({ name: slug, slug, permissionIds: ["audit:read"] });
    const found = async (filter: string, orderBy = "") => {
      const slugs: string[] = [];
      let cursor = "";
      do {
        const page = await globex.roles.listRoles({ filter, orderBy, cursor, limit: 2 });
        slugs.push(...page.roles.map(({ slug }) => slug));
        cursor = page.nextCursor;
      } while (cursor !== "");
      return slugs.join(" ");
    };
    expect(await found("is_system = false")).toBe("auditor reviewer");
    expect(await found("is_system != false")).toBe("administrator engineer supervisor trainer viewer");
    expect(await found('permission_ids:"audit:read"')).toBe("administrator auditor reviewer");
    expect(await found('slug < "f"', "slug desc")).toBe("engineer auditor administrator");
    expect(await found("slug >= s AND slug < w", "name desc")).toBe("Viewer Trainer Supervisor".toLowerCase());
    expect(await found("NOT (is_system = true OR slug = auditor)")).toBe("reviewer");
  });
});

describe("creating an organisation", () => {
  it("makes its administrator and a key that may do what an administrator may", () => {
    const { organisation, administrator, apiKey } = rig.acme;
    expect(administrator).toMatchObject({
      organisationId: organisation?.id,
      status: MemberStatus.ACTIVE,
      roleIds: [systemRole("administrator")],
    });
    expect(apiKey?.permissionIds).toEqual(expect.arrayContaining(["apikeys:manage", "training:override"]));
    expect(apiKey?.permissionIds).not.toContain("organisations:manage");
    expect(apiKey?.createdByMemberId).toBeUndefined();
  });

  it("invites the administrator when no issuer knows them yet", async () => {
    const slug = `invited-${randomUUID().slice(0, 8)}`;
    const someone = { ...administration.person("someone"), issuer: "", subject: "" };
    const found = await operator.organisations.createOrganisation({ slug, name: "Invited", administrator: someone });
    expect(found.administrator?.status).toBe(MemberStatus.INVITED);
  });

  it("is refused whole when the slug is taken, even twenty times at once", async () => {
    const slug = `twenty-${randomUUID().slice(0, 8)}`;
    const administrator = administration.person("twenty");
    const found = () => operator.organisations.createOrganisation({ slug, name: "Twenty", administrator });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, found));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: Code.AlreadyExists });
  });

  it.each([
    ["looks like an id", () => ({ slug: randomUUID() }), ["slug", "SLUG_LIKE_ID"]],
    [
      "names a subject without issuer",
      () => ({ administrator: { ...administration.person("x"), issuer: "" } }),
      ["issuer", "SUBJECT_INCOMPLETE"],
    ],
  ])("points at the field when it %s", async (_, change, field) => {
    const wanted = { slug: "never", name: "Never", administrator: administration.person("never") };
    const failure = await failureOf(operator.organisations.createOrganisation({ ...wanted, ...change() }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [field] });
  });

  it("is for the operator alone", async () => {
    const wanted = { slug: "mine", name: "Mine", administrator: administration.person("mine") };
    const failure = await failureOf(acme.organisations.createOrganisation(wanted));
    expect(failure).toMatchObject({ code: Code.PermissionDenied, message: "Missing permission: organisations:manage" });
  });

  it("gives the operator none of its own", async () => {
    expect((await failureOf(operator.organisations.getOrganisation({}))).code).toBe(Code.NotFound);
  });
});

describe("ids of another organisation", () => {
  const foreignKey = () => ({ apiKeyId: rig.globex.apiKey?.id ?? "" });
  const foreignMember = () => ({ memberId: rig.globex.administrator?.id ?? "" });
  const foreignRole = async () => {
    const slug = `foreign-${randomUUID().slice(0, 8)}`;
    const { role } = await globex.roles.createRole({ name: "Foreign", slug, permissionIds: [] });
    return { roleId: role?.id ?? "" };
  };

  it.each([
    ["a key to read", () => acme.apiKeys.getApiKey(foreignKey())],
    ["a key to rotate", () => acme.apiKeys.rotateApiKey(foreignKey())],
    ["a key to revoke", () => acme.apiKeys.revokeApiKey(foreignKey())],
    ["a member to read", () => acme.members.getMember(foreignMember())],
    ["a member to deactivate", () => acme.members.deactivateMember(foreignMember())],
    ["a member to reactivate", () => acme.members.reactivateMember(foreignMember())],
    ["a member to give roles", () => acme.members.setMemberRoles(foreignMember())],
    ["a role to read", async () => acme.roles.getRole(await foreignRole())],
    ["a role to change", async () => acme.roles.updateRole({ ...(await foreignRole()), name: "Ours" })],
    ["a role to delete", async () => acme.roles.deleteRole(await foreignRole())],
    [
      "a role to give",
      async () => {
        const { roleId } = await foreignRole();
        return await acme.members.createMember({ member: administration.person("stray"), roleIds: [roleId] });
      },
    ],
  ])("are answered like ids that do not exist: %s", async (_, call) => {
    const random = await failureOf(acme.apiKeys.revokeApiKey({ apiKeyId: randomUUID() }));
    expect(random).toMatchObject({ code: Code.NotFound, message: "Not found" });
    expect(await failureOf(call())).toEqual(random);
  });

  it("and what they stand for stay as they were", async () => {
    const { members } = await globex.members.listMembers({});
    expect(members.find(({ id }) => id === rig.globex.administrator?.id)).toEqual(rig.globex.administrator);
    const { apiKeys } = await globex.apiKeys.listApiKeys({});
    const key = apiKeys.find(({ id }) => id === rig.globex.apiKey?.id);
    expect([key?.name, key?.revokedAt, key?.replacedById]).toEqual(["First key", undefined, undefined]);
  });
});
