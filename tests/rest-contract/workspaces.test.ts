import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const propose = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(platform, { path: "/workspaces/enable-from-proposal/", body, headers });

const read = async (path: string): Promise<Json> => (await ask(platform, { path })).body;

async function registered(name: string, bearer?: string): Promise<string> {
  const answer = await ask(platform, {
    path: "/platform/assets",
    body: { name, kind: "report" },
    ...(bearer ? { bearer } : {}),
  });
  return answer.body.id;
}

const entry = (assetId: string, more: object = {}) => ({
  ...{ asset_id: assetId, asset_name: "", role: "supporting", source: "manual", confidence: 1, evidence: {} },
  ...more,
});

const workspaceOf = async (draftId: string): Promise<Json> =>
  (await read("/platform/workspaces?limit=1000")).find(({ draft_id }: Json) => draft_id === draftId);

describe("operation 4", () => {
  it("answers 200 with exactly the settings of the specification", async () => {
    const asset = await registered("Churn report");
    const workspace = {
      name: "Churn",
      draft_id: randomUUID(),
      description: "",
      seed_asset_id: asset,
      assets: [entry(asset)],
    };
    const { status, body } = await propose({ algorithm_version: "grouper 7", workspaces: [workspace] });
    expect(status).toBe(200);
    expect(body).toEqual({
      organisation_id: platform.organisation_id,
      workspaces_enabled: true,
      auto_grouping_enabled: false,
      grouping_status: "succeeded",
      last_grouping_run_type: "proposal",
      last_grouping_started_at: instant,
      last_grouping_completed_at: instant,
      last_grouping_error: null,
      grouping_algorithm_version: "grouper 7",
      created_at: instant,
      updated_at: instant,
    });
    expect(await read("/platform/workspaces/settings")).toEqual(body);
    expect(await workspaceOf(workspace.draft_id)).toEqual({
      id: expect.any(String),
      organisation_id: platform.organisation_id,
      name: "Churn",
      description: "",
      draft_id: workspace.draft_id,
      seed_asset_id: asset,
      asset_count: 1,
      created_at: instant,
      updated_at: instant,
    });
  });

  it("takes what its sample leaves out as empty, and the path without its last slash", async () => {
    const body = { algorithm_version: "v1", workspaces: [{ name: "Bare", draft_id: randomUUID() }] };
    const { status } = await ask(platform, { path: "/workspaces/enable-from-proposal", body });
    expect(status).toBe(200);
    const { description, seed_asset_id, asset_count } = await workspaceOf(body.workspaces[0]?.draft_id ?? "");
    expect([description, seed_asset_id, asset_count]).toEqual(["", null, 0]);
  });

  it("keeps why an asset is there, the evidence as it was written", async () => {
    const [asset, draft] = [await registered("Churn model"), randomUUID()];
    const evidence = '{ "score": 1.00, "big":12345678901234567890,"$set":{"a.b":[1e2,null]} }';
    const written = JSON.stringify({
      algorithm_version: "grouper 7",
      workspaces: [
        { name: "Why", draft_id: draft, assets: [entry(asset, { confidence: 0.25, evidence: "EVIDENCE" })] },
      ],
    });
    expect((await propose(written.replace('"EVIDENCE"', evidence))).status).toBe(200);
    const { id } = await workspaceOf(draft);
    const answer = await ask(platform, { path: `/platform/workspaces/${id}/assets` });
    expect(answer.text).toContain(`"evidence":${evidence}`);
    expect(answer.body).toEqual([
      {
        workspace_id: id,
        asset_id: asset,
        asset_name: "Churn model",
        role: "supporting",
        source: "manual",
        confidence: 0.25,
        evidence: expect.anything(),
        algorithm_version: "grouper 7",
        accepted_by_member_id: expect.any(String),
        created_at: instant,
        updated_at: instant,
      },
    ]);
  });

  it("makes one workspace of a draft, however often it is proposed, and answers a repeat alike", async () => {
    const [asset, draft] = [await registered("Repeated"), randomUUID()];
    const body = { algorithm_version: "v1", workspaces: [{ name: "Once", draft_id: draft, assets: [entry(asset)] }] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => propose(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const again = await propose(body);
    expect(again.body).toEqual(await read("/platform/workspaces/settings"));
    const drafts = (await read("/platform/workspaces?limit=1000")).filter(({ draft_id }: Json) => draft_id === draft);
    expect(drafts).toHaveLength(1);
  });

  it("answers a repeat by Idempotency-Key with the first answer", async () => {
    const body = { algorithm_version: "v1", workspaces: [{ name: "Keyed", draft_id: randomUUID() }] };
    const headers = { "idempotency-key": randomUUID() };
    const first = await propose(body, headers);
    await propose({ algorithm_version: "v2", workspaces: [{ name: "Other", draft_id: randomUUID() }] });
    const again = await propose(body, headers);
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  });
});

describe("operation 4 with a body that is wrong", () => {
  it("names every rule of the domain that is broken, each where it stands", async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const workspaces = [
      { name: "one", draft_id: "same", assets: [entry(a), entry(a)] },
      { name: "two", draft_id: "same", seed_asset_id: b, assets: [entry(a)] },
    ];
    const { status, body } = await propose({ algorithm_version: "v1", workspaces });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      {
        type: "asset_repeated",
        loc: ["body", "workspaces", 0, "assets", 1, "asset_id"],
        msg: "the asset is in this workspace already",
        input: a,
      },
      {
        type: "draft_id_repeated",
        loc: ["body", "workspaces", 1, "draft_id"],
        msg: "another workspace of the request has this draft_id",
        input: "same",
      },
      {
        type: "seed_asset_absent",
        loc: ["body", "workspaces", 1, "seed_asset_id"],
        msg: "the seed asset is not among the workspace's assets",
        input: b,
      },
    ]);
  });

  it("names every field that is wrong by itself", async () => {
    const asset = { asset_id: "x", role: "", confidence: 1.5, evidence: [] };
    const { status, body } = await propose({ workspaces: [{ name: "one", assets: [asset] }] });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }: Json) => [type, loc.slice(1).join(".")])).toEqual([
      ["missing", "algorithm_version"],
      ["missing", "workspaces.0.draft_id"],
      ["uuid_parsing", "workspaces.0.assets.0.asset_id"],
      ["string_too_short", "workspaces.0.assets.0.role"],
      ["missing", "workspaces.0.assets.0.source"],
      ["less_than_equal", "workspaces.0.assets.0.confidence"],
      ["dict_type", "workspaces.0.assets.0.evidence"],
    ]);
  });

  it("refuses more workspaces than one request may hold", async () => {
    const workspaces = Array.from({ length: 501 }, (_, index) => ({ name: "w", draft_id: `${index}` }));
    const { status, body } = await propose({ algorithm_version: "v1", workspaces });
    expect([status, body.detail[0]?.type, body.detail[0]?.loc]).toEqual([422, "too_long", ["body", "workspaces"]]);
  });
});

describe("operation 4 with an asset that is not the organisation's", () => {
  it("answers 404 as for one that does not exist, and makes nothing", async () => {
    const [known, foreign] = [await registered("ours"), await registered("theirs", platform.foreign.bearer)];
    const draft = randomUUID();
    const proposal = (assetId: string) => ({
      algorithm_version: "v1",
      workspaces: [{ name: "w", draft_id: draft, assets: [entry(known), entry(assetId)] }],
    });
    const [unknown, theirs] = [await propose(proposal(randomUUID())), await propose(proposal(foreign))];
    expect([unknown.status, unknown.text]).toEqual([404, '{"detail":"Not found"}']);
    expect([theirs.status, theirs.text]).toEqual([unknown.status, unknown.text]);
    expect(await workspaceOf(draft)).toBeUndefined();
  });
});

describe("a pipeline", () => {
  it("can be in a workspace, because training tells of it", async () => {
    const assets = () => read("/platform/assets?limit=1000");
    const all = await until("the pipeline to be an asset", 30, assets, (found: Json[]) =>
      found.some(({ id }) => id === platform.pipeline_id),
    );
    const asset = all.find(({ id }: Json) => id === platform.pipeline_id);
    expect(asset).toMatchObject({ kind: "pipeline", owner: "training", dataset_ids: [] });
    const draft = randomUUID();
    const workspaces = [{ name: "Training", draft_id: draft, assets: [entry(platform.pipeline_id)] }];
    expect((await propose({ algorithm_version: "v1", workspaces })).status).toBe(200);
    expect(await workspaceOf(draft)).toMatchObject({ asset_count: 1 });
  });
});

describe("grouping", () => {
  it("that is asked for moves from queued to succeeded, and says what put each asset where it is", async () => {
    const name = `quokka${randomUUID().slice(0, 4)}`;
    for (const what of ["habitat", "diet"]) await registered(`${name} ${what}`);
    await ask(platform, { method: "PATCH", path: "/platform/workspaces/settings", body: { workspaces_enabled: true } });
    const started = await ask(platform, { path: "/platform/workspaces/grouping-runs", body: {} });
    expect([started.status, started.body.grouping_status]).toEqual([200, "queued"]);
    const settings = await until(
      "the run to end",
      30,
      () => read("/platform/workspaces/settings"),
      ({ grouping_status }) => ["succeeded", "failed"].includes(grouping_status),
    );
    expect(settings).toMatchObject({
      grouping_status: "succeeded",
      last_grouping_run_type: "manual",
      last_grouping_completed_at: instant,
    });
    const workspace = (await read("/platform/workspaces?limit=1000")).find((each: Json) => each.name === name);
    const content = await read(`/platform/workspaces/${workspace.id}/assets`);
    expect(content.map(({ role, source, evidence }: Json) => ({ role, source, evidence }))).toEqual([
      { role: "primary", source: "seed", evidence: { shared_words: [name] } },
      { role: "supporting", source: "auto", evidence: { shared_words: [name] } },
    ]);
  });
});

describe("the list of what is in a workspace", () => {
  it("links to its next page", async () => {
    const draft = randomUUID();
    const assets = [entry(await registered("one")), entry(await registered("two")), entry(await registered("three"))];
    await propose({ algorithm_version: "v1", workspaces: [{ name: "Paged", draft_id: draft, assets }] });
    const { id } = await workspaceOf(draft);
    const first = await ask(platform, { path: `/platform/workspaces/${id}/assets?limit=2` });
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await ask(platform, { path: next });
    const names = [first, second].map(({ body }) => body.map(({ asset_name }: Json) => asset_name));
    expect(names).toEqual([["one", "two"], ["three"]]);
    expect(second.headers.get("link")).toBeNull();
  });
});
