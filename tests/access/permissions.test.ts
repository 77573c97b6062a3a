import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { assertionInterceptor, createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { assertionsOf, internalCalls } from "../mesh/internal-calls.ts";
import { permissionOf, permissions, type Rpc, rpcs } from "./contract-rpcs.ts";
import { type CallEnd, callRest, callRpc } from "./rpc-calls.ts";

/** Held by the operator of the installation alone: no member of an organisation can hand it on. */
const operatorPermission = "organisations:manage";
const grantable = permissions.filter((permission) => permission !== operatorPermission);
const guarded = rpcs.filter((rpc) => permissionOf(rpc) !== undefined);
const credentialed = rpcs.filter(({ access }) => access.rule.case !== "public");

let running: SharedPlatform;
let transports: Record<string, MeshTransport>;
/** Keys by what they hold: one permission each, and all but one each. */
const only = new Map<string, string>();
const allBut = new Map<string, string>();
let restoreRoles: (() => Promise<void>) | undefined;
/** A key that holds everything but what the operator alone has. */
let everyGrantable: string;

sharedPlatform((started) => (running = started));
beforeAll(async () => {
  const { grpc, bearer } = running.description;
  const interceptors = [internalCalls(running.directory)];
  transports = Object.fromEntries(
    Object.entries(grpc).map(([owner, addresses]) => [owner, createMeshTransport({ addresses, interceptors })]),
  );
  const keys = createClient(ApiKeyService, transportOf("identity"));
  const newKey = async (permissionIds: string[]) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return (await keys.createApiKey({ name: "permission table", permissionIds }, { headers })).secret;
  };
  for (const permission of grantable) {
    only.set(permission, await newKey([permission]));
    allBut.set(permission, await newKey(grantable.filter((other) => other !== permission)));
  }
  everyGrantable = await newKey(grantable);
  restoreRoles = await takeEverything(running.description.foreign.bearer);
});

/** Takes all roles of the token's administrator, after making another one: an organisation must keep one. Answers how to undo it. */
async function takeEverything(bearer: string): Promise<() => Promise<void>> {
  const members = createClient(MemberService, transportOf("identity"));
  const options = { headers: { authorization: `Bearer ${bearer}` } };
  const [administrator] = (await members.listMembers({}, options)).members;
  const { id: memberId = "", issuer = "", roleIds = [] } = administrator ?? {};
  const keys = createClient(ApiKeyService, transportOf("identity"));
  const { secret } = await keys.createApiKey({ name: "restores roles", permissionIds: grantable }, options);
  const subject = `successor-${randomUUID()}`;
  const successor = { displayName: "Successor", email: `${subject}@foreign.example`, issuer, subject };
  const { member } = await members.createMember({ member: successor, roleIds }, options);
  await members.setMemberRoles({ memberId, roleIds: [] }, options);
  return async () => {
    const withKey = { headers: { authorization: `Bearer ${secret}` } };
    await members.setMemberRoles({ memberId, roleIds }, withKey);
    await members.deactivateMember({ memberId: member?.id ?? "" }, options);
  };
}

afterAll(async () => {
  await restoreRoles?.();
  for (const transport of Object.values(transports ?? {})) transport.close();
});

function transportOf(owner: string): MeshTransport {
  const transport = transports[owner];
  if (!transport) throw new Error(`the platform says no address of ${owner}`);
  return transport;
}

const ways: [string, (rpc: Rpc) => boolean, (rpc: Rpc, credential?: string) => Promise<CallEnd>][] = [
  [
    "over REST",
    ({ route }) => route !== undefined,
    (rpc, credential) => callRest(running.description.gateway, rpc, {}, credential),
  ],
  // The gateway's own have no service behind it.
  [
    "at its service",
    ({ owner }) => owner !== "gateway",
    (rpc, credential) => callRpc(transportOf(rpc.owner), rpc, {}, credential),
  ],
];

/** The permission that a call lacks. A call that the platform has no room for says nothing of it, and is made again. */
async function missingOf(call: () => Promise<CallEnd>): Promise<string | undefined> {
  for (;;) {
    const { status, missing } = await call();
    if (status !== 503 && status !== "Unavailable") return missing;
    await delay(200);
  }
}

describe.each(ways)("an RPC called %s", (_way, reachable, call) => {
  const names = (list: readonly Rpc[]) => list.filter(reachable).map((rpc) => [rpc.name, rpc] as const);

  it.each(names(credentialed))("%s is refused without a credential", async (_name, rpc) => {
    const { status } = await call(rpc);
    expect([401, "Unauthenticated"]).toContain(status);
  });

  // Requests are empty, so a caller who is let in learns that they are wrong, and nothing changes.
  it.each(names(guarded))("%s is opened by its permission alone, unless that is the operator's", async (_name, rpc) => {
    const key = only.get(permissionOf(rpc) ?? "");
    if (key === undefined) expect(permissionOf(rpc)).toBe(operatorPermission);
    else expect(await missingOf(() => call(rpc, key))).toBeUndefined();
  });

  it.each(names(guarded))("%s stays shut for a caller who holds nothing", async (_name, rpc) => {
    expect(await missingOf(() => call(rpc, running.description.foreign.bearer))).toBe(permissionOf(rpc));
  });

  it.each(names(guarded))("%s stays shut for a caller who holds all other permissions", async (_name, rpc) => {
    const needed = permissionOf(rpc) ?? "";
    const key = allBut.get(needed) ?? everyGrantable;
    expect(await missingOf(() => call(rpc, key))).toBe(needed);
  });
});

describe("the contract's permissions", () => {
  it("are all grantable but the operator's", () => {
    expect(permissions).toContain(operatorPermission);
    expect([...only.keys()]).toEqual(grantable);
  });

  it("leave no RPC without a rule", () => {
    expect(rpcs.filter(({ access }) => !access.rule.value).map(({ name }) => name)).toEqual([]);
  });
});

describe("an RPC that only services call", () => {
  const internal = rpcs.filter(({ access }) => access.internal);

  it.each(internal.map(({ name, method }) => [name, method] as const))(
    "%s gave internal addresses and tokens to callers from outside: the gateway does not know it",
    async (_name, { parent, name }) => {
      const headers = { authorization: `Bearer ${everyGrantable}`, "content-type": "application/json" };
      const url = `${running.description.gateway}/${parent.typeName}/${name}`;
      expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(404);
    },
  );

  it("is each one that administrator out tokens, contexts or delegations, or tells services of one another's data", () => {
    expect(internal.map(({ name }) => name).sort()).toEqual([
      "ArtifactReferenceService/FindReferencedArtifacts",
      "ArtifactService/VerifyArtifact",
      "CredentialService/ExchangeCredential",
      "CredentialService/GetVerificationKeys",
      "DataQuotaService/ReadQuotas",
      "DatasetArtifactService/DescribeDatasetArtifacts",
      "DatasetArtifactService/EraseDatasetArtifacts",
      "DatasetArtifactService/ReadDatasetArtifact",
      "DatasetArtifactService/StoreDatasetArtifact",
      "DatasetLineageService/FindLineageOfDatasets",
      "DatasetMarkService/FindSensitiveColumns",
      "DatasetPredictionService/DescribeDatasetPredictor",
      "DatasetPredictionService/PredictForDataset",
      "DatasetReferenceService/FindArtifactsOfDatasets",
      "DelegationService/CreateDelegation",
      "DelegationService/RevokeDelegation",
      "DeploymentService/ListDatasetUses",
      "DeploymentService/ResolvePredictionRoute",
      "DeploymentsQuotaService/ReadQuotas",
      "DeploymentsSearchService/FindMatches",
      "IdentityQuotaService/ListOrganisationQuotas",
      "IdentityQuotaService/ReadQuotas",
      "IdentitySearchService/FindMatches",
      "LineageService/FindUses",
      "MediaService/FindMediaContent",
      "MemberService/CheckMembers",
      "MemberService/ResolveMembers",
      "NotebookSessionService/IssueNotebookPass",
      "RunLineageService/FindLineageOfRuns",
      "RunService/FindRunDataset",
      "TrainingQuotaService/ReadQuotas",
      "TrainingSearchService/FindMatches",
    ]);
  });

  it("names the services that may call it, unless what it answers is public", () => {
    const open = internal.filter(({ access }) => access.callers.length === 0);
    expect(open.map(({ name }) => name)).toEqual(["CredentialService/GetVerificationKeys"]);
  });

  const guarded = internal.filter(({ access }) => access.callers.length > 0);

  it.each(guarded.map((rpc) => [rpc.name, rpc] as const))(
    "%s was answered to callers that are no service: it asks for the assertion of one",
    async (_name, rpc) => {
      const address = Object.entries(running.description.grpc).find(([owner]) => owner === rpc.owner)?.[1] ?? "";
      const outside = createMeshTransport({ addresses: address });
      const { status } = await callRpc(outside, rpc, {}, everyGrantable);
      outside.close();
      expect(status).toBe("Unauthenticated");
    },
  );

  it.each(guarded.map((rpc) => [rpc.name, rpc] as const))(
    "%s is refused to a service that the contract does not name",
    async (_name, rpc) => {
      const address = Object.entries(running.description.grpc).find(([owner]) => owner === rpc.owner)?.[1] ?? "";
      const interceptors = [assertionInterceptor(assertionsOf(running.directory, "operator"))];
      const other = createMeshTransport({ addresses: address, interceptors });
      const { status } = await callRpc(other, rpc, {}, everyGrantable);
      other.close();
      expect(status).toBe("PermissionDenied");
    },
  );
});
