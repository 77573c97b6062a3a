import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { permissionOf, permissions, type Rpc, rpcs } from "./contract-rpcs.ts";
import { type CallEnd, callRest, callRpc } from "./rpc-calls.ts";

/** Held by the operator of the installation alone: nobody in an organisation can hand it on. */
const operatorPermission = "organisations:manage";
const grantable = permissions.filter((permission) => permission !== operatorPermission);
const guarded = rpcs.filter((rpc) => permissionOf(rpc) !== undefined);
const credentialed = rpcs.filter(({ access }) => access.rule.case !== "public");

let directory: string;
let running: LocalPlatform;
let transports: Record<string, MeshTransport>;
/** Keys by what they hold: one permission each, and all but one each. */
const only = new Map<string, string>();
const allBut = new Map<string, string>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "permissions-"));
  running = await startPlatform({ directory, trainer: false });
  const { grpc, bearer } = running.description;
  transports = Object.fromEntries(
    Object.entries(grpc).map(([owner, addresses]) => [owner, createMeshTransport({ addresses })]),
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
  await takeEverything(running.description.foreign.bearer);
});

/** Takes all roles of the administrator whose token it is, after making another one: nobody leaves an organisation alone. */
async function takeEverything(bearer: string): Promise<void> {
  const members = createClient(MemberService, transportOf("identity"));
  const options = { headers: { authorization: `Bearer ${bearer}` } };
  const [administrator] = (await members.listMembers({}, options)).members;
  const { issuer = "", roleIds = [] } = administrator ?? {};
  const successor = { displayName: "Successor", email: "successor@foreign.example", issuer, subject: "successor" };
  await members.createMember({ member: successor, roleIds }, options);
  await members.setMemberRoles({ memberId: administrator?.id ?? "", roleIds: [] }, options);
}

afterAll(async () => {
  for (const transport of Object.values(transports ?? {})) transport.close();
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
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
  ["at its service", () => true, (rpc, credential) => callRpc(transportOf(rpc.owner), rpc, {}, credential)],
];

describe.each(ways)("an RPC called %s", (_way, reachable, call) => {
  const names = (list: readonly Rpc[]) => list.filter(reachable).map((rpc) => [rpc.name, rpc] as const);

  it.each(names(credentialed))("%s is refused without a credential", async (_name, rpc) => {
    const { status } = await call(rpc);
    expect([401, "Unauthenticated"]).toContain(status);
  });

  // Requests are empty, so a caller who is let in learns that they are wrong, and nothing changes.
  it.each(names(guarded))("%s is opened by its permission and by no other", async (_name, rpc) => {
    const needed = permissionOf(rpc);
    for (const [permission, key] of only) {
      const { missing } = await call(rpc, key);
      expect([permission, missing]).toEqual([permission, permission === needed ? undefined : needed]);
    }
  });

  it.each(names(guarded))("%s stays shut for who holds nothing", async (_name, rpc) => {
    expect((await call(rpc, running.description.foreign.bearer)).missing).toBe(permissionOf(rpc));
  });

  it.each(names(guarded))("%s stays shut for who holds all but its permission", async (_name, rpc) => {
    const needed = permissionOf(rpc);
    for (const [permission, key] of allBut) {
      const isShut = permission === needed || needed === operatorPermission;
      const { missing } = await call(rpc, key);
      expect([permission, missing]).toEqual([permission, isShut ? needed : undefined]);
    }
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
