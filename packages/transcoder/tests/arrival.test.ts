import {
  DataDictionaryService,
  type PatchDataDictionaryRequest,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import {
  ExternalOauthService,
  type StartSocialnetLinkRequest,
} from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { type CreateRoleRequest, RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import {
  type EnableFromProposalRequest,
  WorkspaceService,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { createRouterTransport } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callerFromTransport, createTranscoder } from "../src/index.ts";
import { listen, type TestServer } from "./test-server.ts";

/** What arrived at the services, in order. */
const arrived = {
  roles: [] as CreateRoleRequest[],
  proposals: [] as EnableFromProposalRequest[],
  links: [] as StartSocialnetLinkRequest[],
  patches: [] as PatchDataDictionaryRequest[],
};
let server: TestServer;
beforeAll(async () => {
  const transport = createRouterTransport(({ service }) => {
    service(RoleService, {
      createRole(request) {
        arrived.roles.push(request);
        return { role: { name: request.name ?? "" } };
      },
    });
    service(WorkspaceService, {
      enableFromProposal(request) {
        arrived.proposals.push(request);
        return { settings: {} };
      },
    });
    service(DataDictionaryService, {
      patchDataDictionary(request) {
        arrived.patches.push(request);
        return { entries: request.entries };
      },
    });
    service(ExternalOauthService, {
      startSocialnetLink(request) {
        arrived.links.push(request);
        return { start: {} };
      },
    });
  });
  const services = [RoleService, WorkspaceService, ExternalOauthService, DataDictionaryService];
  const transcoder = createTranscoder({ services, call: callerFromTransport(() => transport) });
  server = await listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end();
  });
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(() => {
  for (const list of Object.values(arrived)) list.length = 0;
});

async function send(method: string, path: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const all = { "content-type": "application/json", ...headers };
  const answer = await fetch(server.origin + path, { method, headers: all, body });
  await answer.arrayBuffer();
  return answer.status;
}

const post = (path: string, body: string, headers?: Record<string, string>) => send("POST", path, body, headers);

const uuid = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const asset = (fields: object = {}) => ({
  asset_id: uuid,
  role: "primary",
  source: "auto",
  confidence: 0.5,
  ...fields,
});
const proposal = (...workspaces: object[]) => JSON.stringify({ algorithm_version: "v1", workspaces });
const propose = (...assets: object[]) =>
  post("/workspaces/enable-from-proposal/", proposal({ name: "Sales", draft_id: "d1", assets }));

describe("a good proposal of workspaces", () => {
  it("arrives with the defaults of what it leaves out", async () => {
    expect(await post("/workspaces/enable-from-proposal/", proposal({ name: "Sales", draft_id: "d1" }))).toBe(200);
    const [workspace] = arrived.proposals[0]?.workspaces ?? [];
    expect(workspace).toMatchObject({ name: "Sales", draftId: "d1", description: "", assets: [] });
    expect(workspace?.seedAssetId || undefined).toBeUndefined();
    expect(arrived.proposals[0]?.idempotencyKey).toBe("");
  });

  it("arrives with no workspaces when it has none", async () => {
    expect(await post("/workspaces/enable-from-proposal/", proposal())).toBe(200);
    expect(arrived.proposals[0]?.workspaces).toEqual([]);
  });

  it.each([
    ["a whole number", "1", 1],
    ["zero", "0", 0],
    ["a negative zero", "-0.0", -0],
    ["a fraction", "0.25", 0.25],
    ["an exponent", "5e-1", 0.5],
    ["a text", '"0.75"', 0.75],
    ["true", "true", 1],
  ])("arrives with a confidence given as %s", async (_how, text, confidence) => {
    const body = proposal({ name: "Sales", draft_id: "d1", assets: [asset()] }).replace("0.5", text);
    expect(await post("/workspaces/enable-from-proposal/", body)).toBe(200);
    expect(arrived.proposals[0]?.workspaces[0]?.assets[0]?.confidence).toBe(confidence);
  });

  it.each([
    ["as it is", uuid],
    ["in upper case", uuid.toUpperCase()],
    ["without hyphens", uuid.replaceAll("-", "")],
    ["in braces", `{${uuid}}`],
    ["as a URN", `urn:uuid:${uuid.toUpperCase()}`],
  ])("arrives with an id spelled %s in lower case with hyphens", async (_how, spelled) => {
    const workspaces = {
      name: "Sales",
      draft_id: "d1",
      seed_asset_id: spelled,
      assets: [asset({ asset_id: spelled })],
    };
    expect(await post("/workspaces/enable-from-proposal/", proposal(workspaces))).toBe(200);
    const [workspace] = arrived.proposals[0]?.workspaces ?? [];
    expect([workspace?.seedAssetId, workspace?.assets[0]?.assetId]).toEqual([uuid, uuid]);
  });

  it("arrives without the seed that is null, and without an unknown field", async () => {
    const workspaces = { name: "Sales", draft_id: "d1", seed_asset_id: null, colour: "red" };
    expect(await post("/workspaces/enable-from-proposal/", proposal(workspaces))).toBe(200);
    const [workspace] = arrived.proposals[0]?.workspaces ?? [];
    expect([workspace && Object.hasOwn(workspace, "seedAssetId"), JSON.stringify(workspace)]).toEqual([
      false,
      expect.not.stringContaining("red"),
    ]);
  });

  it("arrives with evidence byte for byte, and with none where there is none", async () => {
    const evidence = '{"score": 1.0, "rows": 12345678901234567890, "$gt": {"a.b": [ ]}, "a": 1, "a": 2}';
    const body = proposal({ name: "Sales", draft_id: "d1", assets: [asset({ evidence: "E" }), asset()] });
    expect(await post("/workspaces/enable-from-proposal/", body.replace('"E"', evidence))).toBe(200);
    const assets = arrived.proposals[0]?.workspaces[0]?.assets ?? [];
    expect(assets.map((one) => one.evidence?.text)).toEqual([evidence, undefined]);
  });

  it("arrives with names of the greatest length, counted in characters", async () => {
    const name = "\u{1F600}".repeat(255);
    expect(await propose(asset({ asset_name: name }))).toBe(200);
    expect(arrived.proposals[0]?.workspaces[0]?.assets[0]?.assetName).toBe(name);
    expect(await propose(asset({ asset_name: `${name}x` }))).toBe(422);
  });
});

describe("a good role", () => {
  it("arrives with its permissions in their order, repeats and all, and with its key", async () => {
    const permissions = ["metrics:read", "audit:read", "metrics:read", ""];
    const body = JSON.stringify({ name: "R", slug: "r", permission_ids: permissions, idempotency_key: "not this" });
    expect(await post("/organisations/roles/", body, { "idempotency-key": "this" })).toBe(201);
    expect(arrived.roles[0]).toMatchObject({
      name: "R",
      slug: "r",
      permissionIds: permissions,
      idempotencyKey: "this",
    });
  });

  it("may grant nothing", async () => {
    expect(await post("/organisations/roles", '{"name":"R","slug":"r","permission_ids":[]}')).toBe(201);
    expect(arrived.roles[0]?.permissionIds).toEqual([]);
  });
});

describe("a good link to an external account", () => {
  const start = (query = "", body: object = {}) =>
    post(`/external-oauth/socialnet/start${query}`, JSON.stringify({ secret_name: "crm", ...body }));

  it("arrives with the defaults of what it leaves out", async () => {
    expect(await start()).toBe(200);
    expect(arrived.links[0]).toMatchObject({ secretName: "crm", secretDescription: "", relink: false });
  });

  it.each([
    ["?relink=true", true],
    ["?relink=1", true],
    ["?relink=on", true],
    ["?relink=YES", true],
    ["?relink=false", false],
    ["?relink=off", false],
    ["?relink=false&relink=true", true],
  ])("arrives with %s as %j", async (query, relink) => {
    expect(await start(query)).toBe(200);
    expect(arrived.links[0]?.relink).toBe(relink);
  });

  it("takes `relink` from the query alone", async () => {
    expect(await start("", { relink: true })).toBe(200);
    expect(arrived.links[0]?.relink).toBe(false);
  });
});

describe("a good patch of a data dictionary", () => {
  const patch = (entries: object[], query = "", headers: Record<string, string> = {}) =>
    send("PATCH", `/data-dictionary/${uuid}/${query}`, JSON.stringify(entries), headers);

  it("arrives with its entries in their order, and the defaults of what it leaves out", async () => {
    const entries = [
      { name: "b", description: "", more: 1 },
      { name: "a", description: "text" },
    ];
    expect(await patch(entries)).toBe(200);
    expect(arrived.patches[0]).toMatchObject({ datasetId: uuid, override: false, dryRun: false, ifMatch: "" });
    expect(arrived.patches[0]?.entries.map(({ name, description }) => [name, description])).toEqual([
      ["b", ""],
      ["a", "text"],
    ]);
  });

  it("arrives with nothing when it has nothing", async () => {
    expect(await patch([])).toBe(200);
    expect(arrived.patches[0]?.entries).toEqual([]);
  });

  it.each([" a ", "A", "__proto__", "\u0000", "e\u0301", "\u{1F600}".repeat(255)])(
    "arrives with the name %j exactly",
    async (name) => {
      expect(await patch([{ name, description: "x" }])).toBe(200);
      expect(arrived.patches[0]?.entries[0]?.name).toBe(name);
    },
  );

  it("arrives with what query and headers say", async () => {
    expect(await patch([], "?override=yes&dry_run=1", { "if-match": '"7", "8"' })).toBe(200);
    expect(arrived.patches[0]).toMatchObject({ override: true, dryRun: true, ifMatch: '"7", "8"' });
  });
});
