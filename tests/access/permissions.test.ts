import { setTimeout as delay } from "node:timers/promises";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { permissionOf, permissions, type Rpc, rpcs } from "./contract-rpcs.ts";
import { type CallEnd, callRest, callRpc } from "./rpc-calls.ts";

/** Held by the operator of the installation alone: no member of an organisation can hand it on. */
const operatorPermission = "organisations:manage";
const grantable = permissions.filter((permission) => permission !== operatorPermission);
const guarded = rpcs.filter((rpc) => permissionOf(rpc) !== undefined);
const credentialed = rpcs.filter(({ access }) => access.rule.case !== "public");

let running: LocalPlatform;
let transports: Record<string, MeshTransport>;
/** Keys by what they hold: one permission each, and all but one each. */
const only = new Map<string, string>();
const allBut = new Map<string, string>();
/** A key that holds everything but what the operator alone has. */
let everyGrantable: string;

// A fast machine asks for more than an organisation's rate.
ownPlatform((started) => (running = started), { settings: { gateway: { REQUESTS_PER_SECOND: "1000000" } } });
beforeAll(async () => {
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
  everyGrantable = await newKey(grantable);
  await takeEverything(running.description.foreign.bearer);
});

/** Takes all roles of the token's administrator, after making another one: an organisation must keep one. */
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

/** The permission that a call lacks. A call that the platform has no room for says nothing of it, and is made again. */
async function missingOf(call: () => Promise<CallEnd>): Promise<string | undefined> {
  for (;;) {
    const { status, missing } = await call();
    if (status !== 503 && status !== "Unavailable") return missing;
    await delay(200);
  }
}

const lanes = 6;

/** Answers in the order of the values; a few are asked at a time. */
async function inLanes<T, R>(values: readonly T[], ask: (value: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < values.length; from += lanes)
    answers.push(...(await Promise.all(values.slice(from, from + lanes).map(ask))));
  return answers;
}

describe.each(ways)("an RPC called %s", (_way, reachable, call) => {
  const names = (list: readonly Rpc[]) => list.filter(reachable).map((rpc) => [rpc.name, rpc] as const);

  it.each(names(credentialed))("%s is refused without a credential", async (_name, rpc) => {
    const { status } = await call(rpc);
    expect([401, "Unauthenticated"]).toContain(status);
  });

  // Requests are empty, so a caller who is let in learns that they are wrong, and nothing changes.
  it.each(names(guarded))("%s is opened by its permission and by no other", async (_name, rpc) => {
    const needed = permissionOf(rpc);
    const missing = await inLanes([...only.values()], (key) => missingOf(() => call(rpc, key)));
    const opened = [...only.keys()].filter((_, index) => missing[index] === undefined);
    expect(opened).toEqual(needed === operatorPermission ? [] : [needed]);
    expect(new Set(missing.filter((one) => one !== undefined))).toEqual(new Set([needed]));
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
