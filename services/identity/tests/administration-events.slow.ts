import { randomUUID } from "node:crypto";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { type Collection, connectDocumentStore, type DocumentStore, Outbox } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig, systemRole } from "./administration-rig.ts";
import type { IdentityClients } from "./identity-rig.ts";

let administration: AdministrationRig;
let acme: IdentityClients;
let store: DocumentStore;
let outbox: Collection<{ _id: string; data_schema: string; cause?: { requestId?: string } }>;
beforeAll(async () => {
  administration = await startAdministrationRig();
  acme = administration.acme;
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = administration.rig.config;
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  outbox = store.database.collection(Outbox.indexes.collection);
});
afterAll(async () => {
  await store.close();
  await administration[Symbol.asyncDispose]();
});

/** Names of the events that a call has staged, sorted. */
const stagedBy = async (call: () => Promise<unknown>) => {
  const before = await outbox.distinct("_id");
  await call();
  const staged = await outbox.find({ _id: { $nin: before } }).toArray();
  return staged.map(({ data_schema: name }) => name.replace("aiplatform.events.v1.", "")).sort();
};

const recordOf = (method: DescMethod) =>
  getOption(method, access).recordedAs.map((name) => name.replace("aiplatform.events.v1.", ""));

interface Write {
  rpc: DescMethod;
  /** Prepares the write, and answers how to do it. */
  prepare: () => Promise<() => Promise<unknown>>;
  /** Staged besides the one that is recorded. */
  besides?: string[];
}

const newKey = async () => {
  const { apiKey } = await acme.apiKeys.createApiKey({ name: "x", permissionIds: ["metrics:read"] });
  return apiKey?.id ?? "";
};

const newOrganisation = async () => {
  const wanted = { slug: `o-${randomUUID()}`.slice(0, 30), name: "O", administrator: administration.person("o") };
  const { organisation } = await administration.operator.organisations.createOrganisation(wanted);
  return organisation?.id ?? "";
};

const writes: Write[] = [
  {
    rpc: OrganisationService.method.createOrganisation,
    prepare: async () => {
      const wanted = { slug: `o-${randomUUID()}`.slice(0, 30), name: "O", administrator: administration.person("o") };
      return () => administration.operator.organisations.createOrganisation(wanted);
    },
  },
  {
    rpc: OrganisationService.method.suspendOrganisation,
    prepare: async () => {
      const organisationId = await newOrganisation();
      return () => administration.operator.organisations.suspendOrganisation({ organisationId });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: OrganisationService.method.restoreOrganisation,
    prepare: async () => {
      const organisationId = await newOrganisation();
      await administration.operator.organisations.suspendOrganisation({ organisationId });
      return () => administration.operator.organisations.restoreOrganisation({ organisationId });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: OrganisationService.method.deleteOrganisation,
    prepare: async () => {
      const { organisations } = administration.operator;
      const organisationId = await newOrganisation();
      const { organisation } = await organisations.suspendOrganisation({ organisationId });
      const confirmSlug = organisation?.slug ?? "";
      return () => organisations.deleteOrganisation({ organisationId, confirmSlug });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: OrganisationService.method.setOrganisationQuotas,
    prepare: async () => {
      const organisationId = await newOrganisation();
      const limits = { members: 5n };
      return () => administration.operator.organisations.setOrganisationQuotas({ organisationId, limits });
    },
  },
  {
    rpc: RoleService.method.createRole,
    prepare: async () => () => administration.newRole("metrics:read"),
  },
  {
    rpc: RoleService.method.updateRole,
    prepare: async () => {
      const roleId = await administration.newRole("metrics:read");
      return () => acme.roles.updateRole({ roleId, name: "Other", permissionIds: ["training:command"] });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: RoleService.method.deleteRole,
    prepare: async () => {
      const roleId = await administration.newRole("metrics:read");
      return () => acme.roles.deleteRole({ roleId });
    },
  },
  {
    rpc: MemberService.method.createMember,
    prepare: async () => () => administration.newMember("added"),
  },
  {
    rpc: MemberService.method.setMemberRoles,
    prepare: async () => {
      const memberId = await administration.newMember("mover");
      const roleIds = [systemRole("viewer"), systemRole("trainer"), systemRole("viewer")];
      return () => acme.members.setMemberRoles({ memberId, roleIds });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: MemberService.method.deactivateMember,
    prepare: async () => {
      const memberId = await administration.newMember("leaver");
      return () => acme.members.deactivateMember({ memberId });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: MemberService.method.reactivateMember,
    prepare: async () => {
      const memberId = await administration.newMember("returner");
      await acme.members.deactivateMember({ memberId });
      return () => acme.members.reactivateMember({ memberId });
    },
  },
  {
    rpc: MemberService.method.setOwnEmailPreference,
    prepare: async () => {
      const { member } = await acme.members.getOwnMember({});
      const emailOptedOut = !member?.emailOptedOut;
      return () => acme.members.setOwnEmailPreference({ emailOptedOut });
    },
  },
  { rpc: ApiKeyService.method.createApiKey, prepare: async () => newKey },
  {
    rpc: ApiKeyService.method.rotateApiKey,
    prepare: async () => {
      const apiKeyId = await newKey();
      return () => acme.apiKeys.rotateApiKey({ apiKeyId });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: ApiKeyService.method.revokeApiKey,
    prepare: async () => {
      const apiKeyId = await newKey();
      return () => acme.apiKeys.revokeApiKey({ apiKeyId });
    },
    besides: ["CredentialChanged"],
  },
  {
    rpc: ApiKeyService.method.setApiKeyPolicy,
    prepare: async () => {
      await acme.apiKeys.setApiKeyPolicy({});
      return () => acme.apiKeys.setApiKeyPolicy({ maxLifetimeSeconds: 90 * 86_400 });
    },
  },
];
const table = writes.map((write) => [write.rpc.name, write] as const);

describe("the writes of administration", () => {
  it("are all in this table", () => {
    const declared = [OrganisationService, RoleService, MemberService, ApiKeyService]
      .flatMap(({ methods }) => methods)
      .filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS);
    const repeated = writes.map(({ rpc }) => rpc.name).sort();
    expect(declared.map(({ name }) => name).sort()).toEqual(repeated);
  });

  it.each(table)("%s stages the one event that it is recorded as", async (_, { rpc, prepare, besides = [] }) => {
    const write = await prepare();
    const record = recordOf(rpc);
    expect(record).toHaveLength(1);
    expect(await stagedBy(write)).toEqual([...record, ...besides].sort());
  });

  const repeatable = table.filter(([, { rpc }]) => rpc.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENT);
  it.each(repeatable)("%s stages nothing when it changes nothing, and answers alike", async (_, { prepare }) => {
    const write = await prepare();
    const first = await write();
    let repeats: unknown[] = [];
    const staged = await stagedBy(async () => {
      repeats = await Promise.all(Array.from({ length: 5 }, write));
    });
    expect(staged).toEqual([]);
    expect(repeats).toEqual(Array(5).fill(first));
  });

  it("that five ask for at once happen once", async () => {
    const apiKeyId = await newKey();
    const revoke = () => acme.apiKeys.revokeApiKey({ apiKeyId });
    expect(await stagedBy(() => Promise.all(Array.from({ length: 5 }, revoke)))).toEqual([
      "ApiKeyRevoked",
      "CredentialChanged",
    ]);
  });

  it("that are refused stage nothing", async () => {
    const roleIds = [await administration.newRole("metrics:read")];
    await acme.members.createMember({ member: administration.person("holder"), roleIds });
    const key = await newKey();
    await acme.apiKeys.revokeApiKey({ apiKeyId: key });
    const staged = await stagedBy(async () => {
      await failureOf(acme.roles.deleteRole({ roleId: roleIds[0] ?? "" }));
      await failureOf(acme.roles.createRole({ name: "X", slug: "viewer", permissionIds: [] }));
      await failureOf(acme.apiKeys.rotateApiKey({ apiKeyId: key }));
      const memberId = administration.rig.acme.administrator?.id ?? "";
      await failureOf(acme.members.deactivateMember({ memberId }));
    });
    expect(staged).toEqual([]);
  });

  it("announce nothing to forget when only the name of a role changes", async () => {
    const roleId = await administration.newRole("metrics:read");
    const rename = () => acme.roles.updateRole({ roleId, name: "Renamed", permissionIds: ["metrics:read"] });
    expect(await stagedBy(rename)).toEqual(["RoleUpdated"]);
  });

  it("name the request that caused them", async () => {
    await administration.newRole("metrics:read");
    const [last] = await outbox.find().sort({ staged_at: -1 }).limit(1).toArray();
    expect(last?.cause).toMatchObject({
      memberId: administration.rig.acme.administrator?.id,
      requestId: expect.any(String),
    });
  });
});
