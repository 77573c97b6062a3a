import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ask } from "../mesh/rest.ts";
import { AuditWorld, type ShownRecord } from "./audit-world.ts";

let directory: string;
let world: AuditWorld;
let roles: Client<typeof RoleService>;
let runs: Client<typeof RunService>;
/** A key that may read metrics and nothing else. */
let weakKey: { id: string; secret: string };
/** A role and a run of the other organisation. */
let foreign: { roleId: string; runId: string };
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "audit-"));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  const platform = cleanUp.use(await startPlatform({ directory, trainer: false }));
  world = await AuditWorld.of(platform, directory);
  const { identity, training } = platform.description.grpc;
  const client = (address: string) => cleanUp.adopt(createMeshTransport({ addresses: address }), (one) => one.close());
  [roles, runs] = [createClient(RoleService, client(identity)), createClient(RunService, client(training))];
  const key = await world.made("ApiKeyService/CreateApiKey", { name: "weak", permissionIds: ["metrics:read"] });
  weakKey = { id: key.apiKey.id, secret: key.secret };
  const { foreign: other } = platform.description;
  const input = { name: "theirs", slug: `r${randomUUID()}` };
  const { body } = await world.call("RoleService/CreateRole", input, { bearer: other.bearer });
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
const header = ({ requestId }: Shown) => ({ "x-request-id": requestId });
const metadata = (shown: Shown) => ({
  headers: { ...header(shown), ...(shown.bearer === null ? {} : { authorization: `Bearer ${shown.bearer}` }) },
});
const rest = (path: string, shown: Shown, body?: unknown) =>
  ask(world.platform.description, { path, bearer: shown.bearer, headers: header(shown), body });

const doors: Record<string, Door> = {
  REST: {
    role: (roleId, shown) => rest(`/platform/roles/${roleId}`, shown),
    run: (runId, shown) => rest(`/pipelines/${randomUUID()}/runs/${runId}/metrics/`, shown),
    newRole: (shown) => rest("/organisations/roles/", shown, { name: "mine", slug: "mine", permission_ids: [] }),
  },
  "Connect through the gateway": {
    role: (roleId, shown) => world.call("RoleService/GetRole", { roleId }, shown),
    run: (runId, shown) => world.call("RunService/GetRun", { runId }, shown),
    newRole: (shown) => world.call("RoleService/CreateRole", newRole(), shown),
  },
  "gRPC at the service": {
    role: (roleId, shown) => roles.getRole({ roleId }, metadata(shown)),
    run: (runId, shown) => runs.getRun({ runId }, metadata(shown)),
    newRole: (shown) => roles.createRole(newRole(), metadata(shown)),
  },
};

interface Refusal {
  name: string;
  call: (door: Door, requestId: string) => Promise<unknown>;
  /** Whether the caller was known, so that its organisation has the record. */
  known: boolean;
  reason: unknown;
}

const refusals: Refusal[] = [
  {
    name: "no credential",
    call: (door, requestId) => door.role(randomUUID(), { bearer: null, requestId }),
    known: false,
    reason: "CREDENTIAL_MISSING",
  },
  {
    name: "an unknown credential",
    call: (door, requestId) => door.run(randomUUID(), { bearer: `aip_${"x".repeat(43)}`, requestId }),
    known: false,
    reason: expect.stringContaining("CREDENTIAL_"),
  },
  {
    name: "a missing permission",
    call: (door, requestId) => door.newRole({ bearer: weakKey.secret, requestId }),
    known: true,
    reason: "PERMISSION_MISSING",
  },
  {
    name: "another organisation's role",
    call: (door, requestId) => door.role(foreign.roleId, { bearer: world.platform.description.bearer, requestId }),
    known: true,
    reason: "NOT_FOUND",
  },
  {
    name: "another organisation's run",
    call: (door, requestId) => door.run(foreign.runId, { bearer: world.platform.description.bearer, requestId }),
    known: true,
    reason: "NOT_FOUND",
  },
];
const cases = Object.keys(doors).flatMap((door) => refusals.map((refusal) => ({ door, ...refusal })));

describe("a refusal leaves exactly one record:", () => {
  const requestIds = new Map(cases.map(({ door, name }) => [`${door} ${name}`, randomUUID()]));
  let counts: Map<string, number>;
  let ofInstallation: ShownRecord[];
  beforeAll(async () => {
    for (const { door, name, call } of cases) {
      const through = doors[door];
      if (through) await call(through, requestIds.get(`${door} ${name}`) ?? "").catch(() => undefined);
    }
    await world.settled();
    counts = await world.counts([...requestIds.values()]);
    ofInstallation = await world.installationRecords();
  });

  it.each(cases)("$name, over $door", async ({ door, name, known, reason }) => {
    const requestId = requestIds.get(`${door} ${name}`) ?? "";
    expect(counts.get(requestId)).toBe(1);
    const records = known
      ? await world.recordsOf(requestId)
      : ofInstallation.filter((record) => record.request_id === requestId);
    expect(records).toMatchObject([
      {
        action: "mesh.call.refused",
        outcome: "refused",
        entity_id: null,
        reason,
        rpc: expect.stringMatching(/^aiplatform\..+Service\/.+$/),
        organisation_id: known ? world.platform.description.organisation_id : null,
      },
    ]);
    const [record] = records;
    if (name === "a missing permission") expect(record?.actor.credential_id).toBe(weakKey.id);
    if (!known) expect(record?.actor).toEqual({ member_id: null, credential_id: null });
  });
});

describe("what is no refusal", () => {
  it.each([
    ["a request that is invalid", "RoleService/CreateRole", { name: "", slug: "?" }],
    ["a request that comes at the wrong time", "RoleService/CreateRole", { name: "a", slug: "administrator" }],
    ["a read that is answered", "RoleService/ListRoles", {}],
  ])("leaves no record: %s", async (_title, name, input) => {
    const { requestId } = await world.call(name, input);
    await world.settled();
    expect((await world.counts([requestId])).get(requestId)).toBeUndefined();
  });

  it("leaves no record: a repeat that changes nothing", async () => {
    const { apiKey } = await world.made("ApiKeyService/CreateApiKey", {
      name: "passing",
      permissionIds: ["metrics:read"],
    });
    const [first, repeat] = [randomUUID(), randomUUID()];
    for (const requestId of [first, repeat]) {
      expect((await world.call("ApiKeyService/RevokeApiKey", { apiKeyId: apiKey.id }, { requestId })).code).toBe("ok");
    }
    await world.settled();
    const counts = await world.counts([first, repeat]);
    expect([counts.get(first), counts.get(repeat)]).toEqual([1, undefined]);
  });
});
