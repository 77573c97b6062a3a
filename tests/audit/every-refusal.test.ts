import { randomUUID } from "node:crypto";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, until } from "../mesh/rest.ts";
import { AuditEnvironment, type ShownRecord } from "./audit-environment.ts";

/** Where the client is, as a load balancer in front of the gateway says. */
const clientAddress = "203.0.113.9";

let platform: LocalPlatform;
let environment: AuditEnvironment;
let roles: Client<typeof RoleService>;
let runs: Client<typeof RunService>;
/** A role and a run of the other organisation. */
let foreign: { roleId: string; runId: string };
const cleanUp = new AsyncDisposableStack();

sharedPlatform((started) => (platform = started));
beforeAll(async () => {
  environment = await AuditEnvironment.of(platform, platform.directory);
  const { identity, training } = platform.description.grpc;
  const client = (address: string) => cleanUp.adopt(createMeshTransport({ addresses: address }), (one) => one.close());
  [roles, runs] = [createClient(RoleService, client(identity)), createClient(RunService, client(training))];
  const { foreign: other } = platform.description;
  const input = { name: "theirs", slug: `r${randomUUID()}` };
  const { body } = await environment.call("RoleService/CreateRole", input, { bearer: other.bearer });
  foreign = { roleId: body.role.id, runId: other.run_id };
});
afterAll(() => cleanUp.disposeAsync());

/** One way to ask for a role, a run, or a new role, with this credential and under this request id. */
interface Door {
  role(roleId: string, shown: Shown): Promise<unknown>;
  run(runId: string, shown: Shown): Promise<unknown>;
  newRole(shown: Shown): Promise<unknown>;
}
interface Shown {
  bearer: string | null;
  requestId: string;
}

const newRole = () => ({ name: "mine", slug: `r${randomUUID()}`, permissionIds: [] });
const header = ({ requestId }: Shown) => ({ "x-request-id": requestId, "x-forwarded-for": clientAddress });
const metadata = (shown: Shown) => ({
  headers: { ...header(shown), ...(shown.bearer === null ? {} : { authorization: `Bearer ${shown.bearer}` }) },
});
const rest = (path: string, shown: Shown, body?: unknown) =>
  ask(environment.platform.description, { path, bearer: shown.bearer, headers: header(shown), body });

const doors: Record<string, Door> = {
  REST: {
    role: (roleId, shown) => rest(`/platform/roles/${roleId}`, shown),
    run: (runId, shown) => rest(`/pipelines/${randomUUID()}/runs/${runId}/metrics/`, shown),
    newRole: (shown) => rest("/organisations/roles/", shown, { name: "mine", slug: "mine", permission_ids: [] }),
  },
  "Connect through the gateway": {
    role: (roleId, shown) => environment.call("RoleService/GetRole", { roleId }, { ...shown, headers: header(shown) }),
    run: (runId, shown) => environment.call("RunService/GetRun", { runId }, { ...shown, headers: header(shown) }),
    newRole: (shown) => environment.call("RoleService/CreateRole", newRole(), { ...shown, headers: header(shown) }),
  },
  "gRPC at the service": {
    role: (roleId, shown) => roles.getRole({ roleId }, metadata(shown)),
    run: (runId, shown) => runs.getRun({ runId }, metadata(shown)),
    newRole: (shown) => roles.createRole(newRole(), metadata(shown)),
  },
};

interface Refusal {
  name: string;
  call: (door: Door, shown: { requestId: string; weak: string; full: string }) => Promise<unknown>;
  /** Whether the caller was known, so that its organisation has the record. */
  known: boolean;
  reason: unknown;
}

const refusals: Refusal[] = [
  {
    name: "no credential",
    call: (door, { requestId }) => door.role(randomUUID(), { bearer: null, requestId }),
    known: false,
    reason: "CREDENTIAL_MISSING",
  },
  {
    name: "an unknown credential",
    call: (door, { requestId }) => door.run(randomUUID(), { bearer: `aip_${"x".repeat(43)}`, requestId }),
    known: false,
    reason: expect.stringContaining("CREDENTIAL_"),
  },
  {
    name: "a missing permission",
    call: (door, { requestId, weak }) => door.newRole({ bearer: weak, requestId }),
    known: true,
    reason: "PERMISSION_MISSING",
  },
  {
    name: "another organisation's role",
    call: (door, { requestId, full }) => door.role(foreign.roleId, { bearer: full, requestId }),
    known: true,
    reason: "NOT_FOUND",
  },
  {
    name: "another organisation's run",
    call: (door, { requestId, full }) => door.run(foreign.runId, { bearer: full, requestId }),
    known: true,
    reason: "NOT_FOUND",
  },
];
const cases = Object.keys(doors).flatMap((door) => refusals.map((refusal) => ({ door, ...refusal })));

async function makeKey(name: string, permissionIds: string[]): Promise<{ id: string; secret: string }> {
  const { apiKey, secret } = await environment.made("ApiKeyService/CreateApiKey", { name, permissionIds });
  return { id: apiKey.id, secret };
}

/** By the way in and what is refused. */
const requestIds = new Map(cases.map(({ door, name }) => [`${door} ${name}`, randomUUID()]));
const keys = new Map<string, { weak: string; full: string }>();
const alikeCalls = 40;
let insistentId: string;
const passing: Record<string, { name: string; input: unknown; requestId: string }> = {
  "a request that is invalid": { name: "RoleService/CreateRole", input: { name: "", slug: "?" }, requestId: "" },
  "a request that comes at the wrong time": {
    name: "RoleService/CreateRole",
    input: { name: "a", slug: "administrator" },
    requestId: "",
  },
  "a read that is answered": { name: "RoleService/ListRoles", input: {}, requestId: "" },
};
const revocation = { first: randomUUID(), repeat: randomUUID() };
let counts: Map<string, number>;
let since: Date;

async function refuseEachCase(): Promise<void> {
  for (const { door, name, call } of cases) {
    const requestId = requestIds.get(`${door} ${name}`) ?? "";
    // A caller of its own for each case: refusals that are alike would share a record.
    const weak = await makeKey("weak", ["metrics:read"]);
    const full = await makeKey("full", ["metrics:read", "roles:manage"]);
    keys.set(requestId, { weak: weak.id, full: full.id });
    const through = doors[door];
    if (through) await call(through, { requestId, weak: weak.secret, full: full.secret }).catch(() => undefined);
  }
}

async function refuseAlike(): Promise<void> {
  const { id, secret } = await makeKey("insistent", ["metrics:read"]);
  insistentId = id;
  for (let n = 0; n < alikeCalls; n += 1) {
    await environment.call("RoleService/GetRole", { roleId: randomUUID() }, { bearer: secret });
  }
}

async function refuseNothing(): Promise<void> {
  for (const one of Object.values(passing)) {
    one.requestId = (await environment.call(one.name, one.input)).requestId;
  }
  const { id } = await makeKey("passing", ["metrics:read"]);
  for (const requestId of [revocation.first, revocation.repeat]) {
    expect((await environment.call("ApiKeyService/RevokeApiKey", { apiKeyId: id }, { requestId })).code).toBe("ok");
  }
}

// Services announce refusals some seconds later, those that are alike together: all are made first, and waited for once.
beforeAll(async () => {
  since = new Date();
  await refuseEachCase();
  await refuseAlike();
  await refuseNothing();
  await environment.settled(60);
  const others = [...Object.values(passing).map(({ requestId }) => requestId), ...Object.values(revocation)];
  counts = await environment.counts([...requestIds.values(), ...others]);
}, 180_000);

describe("a refusal like which there was none leaves exactly one record:", () => {
  it.each(cases.filter(({ known }) => known))("$name, over $door", async ({ door, name, reason }) => {
    const requestId = requestIds.get(`${door} ${name}`) ?? "";
    expect(counts.get(requestId)).toBe(1);
    const records = await environment.recordsOf(requestId);
    const key = keys.get(requestId);
    expect(records).toMatchObject([
      {
        action: "mesh.call.refused",
        outcome: "refused",
        entity_id: null,
        reason,
        rpc: expect.stringMatching(/^aiplatform\..+Service\/.+$/),
        organisation_id: environment.platform.description.organisation_id,
        source_address: door === "gRPC at the service" ? "127.0.0.1" : clientAddress,
        actor: { member_id: null, credential_id: name === "a missing permission" ? key?.weak : key?.full },
        count: 1,
      },
    ]);
  });

  it("and those of callers of whom nothing is known are counted once each", async () => {
    const anonymous = { actor: { member_id: null, credential_id: null }, organisation_id: null };
    const wanted = [
      ["no credential", /GetRole$/, /^CREDENTIAL_MISSING$/],
      ["an unknown credential", /(GetRun|GetRunMetrics)$/, /^CREDENTIAL_(?!MISSING)/],
    ] as const;
    for (const [name, rpc, reason] of wanted) {
      const made = cases.filter((one) => one.name === name).length;
      const matching = (records: ShownRecord[]) =>
        records.filter((record) => rpc.test(record.rpc ?? "") && reason.test(record.reason ?? ""));
      const sum = (records: ShownRecord[]) => matching(records).reduce((all, { count }) => all + (count ?? 0), 0);
      const look = () => environment.installationRecords(since);
      const found = await until(`the count of ${name}`, 60, look, (records) => sum(records) >= made);
      expect([name, sum(found)]).toEqual([name, made]);
      for (const record of matching(found)) expect(record).toMatchObject(anonymous);
      const addresses = new Set(matching(found).map((record) => record.source_address));
      expect(addresses).toEqual(new Set(["127.0.0.1", clientAddress]));
    }
  });
});

describe("refusals that are alike", () => {
  it("share records, which say how many they are", async () => {
    const look = async () => {
      const { body } = await ask(environment.platform.description, {
        path: `/platform/audit?credential_id=${insistentId}`,
      });
      return body as ShownRecord[];
    };
    const sum = (records: ShownRecord[]) => records.reduce((all, { count }) => all + (count ?? 0), 0);
    const records = await until("the refusals", 60, look, (found) => sum(found) >= alikeCalls);
    expect(sum(records)).toBe(alikeCalls);
    expect(records.length).toBeLessThan(alikeCalls / 2);
  }, 120_000);
});

describe("what is no refusal", () => {
  it.each(Object.keys(passing))("leaves no record: %s", (title) => {
    const requestId = passing[title]?.requestId ?? "";
    expect(requestId).not.toBe("");
    expect(counts.get(requestId)).toBeUndefined();
  });

  it("leaves no record: a repeat that changes nothing", () => {
    expect([counts.get(revocation.first), counts.get(revocation.repeat)]).toEqual([1, undefined]);
  });
});
