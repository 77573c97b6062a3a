import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];

sharedPlatform(({ description }) => {
  platform = description;
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const prompt = (text: string) => ({ type: "prompt", text });
const two = {
  steps: [
    { key: "look", name: "Look", prompt_template: { ...prompt("Is {{ features.age }} odd?"), top_p: 0.5 } },
    { key: "tell", name: "Tell", prompt_template: prompt("Tell {{ member.name }}.") },
  ],
  step_transitions: [{ source: "look", target: "tell", label: "odd" }],
};

async function created(name = `Automation ${randomUUID()}`): Promise<Json> {
  const { status, body } = await ask(platform, { path: "/platform/automations", body: { name } });
  if (status !== 201) throw new Error(`creating was answered ${status}`);
  return body;
}

const pathOf = ({ id }: Json) => `/platform/automations/${id}`;
const saved = (automation: Json, body: unknown) =>
  ask(platform, { method: "PUT", path: `${pathOf(automation)}/draft`, body });
const published = (automation: Json, headers: Record<string, string> = { "if-match": "*" }) =>
  ask(platform, { method: "POST", path: `${pathOf(automation)}/publish`, headers });

/** The list as a client sees it that follows the links. */
async function everything(query: string): Promise<Json[]> {
  const pages: Json[] = [];
  let next: string | undefined = `/automations/${query}`;
  while (next !== undefined) {
    const { body, headers } = await ask(platform, { path: next });
    pages.push(body);
    next = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
  }
  return pages;
}

describe("GET /automations/", () => {
  it("answers a bare array by creation, each with its published version in the fields of the specification", async () => {
    await ask(platform, { method: "PUT", path: "/platform/features/age", body: {} });
    const [first, second] = [await created(), await created()];
    await saved(second, two);
    await published(second);
    const { status, body } = await ask(platform, { path: "/automations/" });
    const own = body.filter(({ id }: Json) => id === first.id || id === second.id);
    expect([status, own]).toEqual([
      200,
      [
        { ...first, current_version: null },
        {
          ...second,
          updated_at: instant,
          current_version: {
            id: uuid,
            automation_id: second.id,
            steps: [
              {
                id: uuid,
                name: "Look",
                prompt_template: two.steps[0]?.prompt_template,
                created_at: instant,
                updated_at: instant,
              },
              {
                id: uuid,
                name: "Tell",
                prompt_template: two.steps[1]?.prompt_template,
                created_at: instant,
                updated_at: instant,
              },
            ],
            step_transitions: [{ id: uuid, source_step_id: uuid, target_step_id: uuid, label: "odd" }],
            created_at: instant,
            updated_at: instant,
          },
        },
      ],
    ]);
    expect(Object.keys(first)).toEqual([
      "id",
      "name",
      "description",
      "organisation_id",
      "current_version",
      "created_at",
      "updated_at",
    ]);
  });

  it("leads through the pages by links, with everything once", async () => {
    for (const _ of [1, 2, 3]) await created();
    const pages = await everything("?limit=2");
    const [all] = await everything("");
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((page) => page.length))).toBe(2);
  });

  it.each([
    ["a place that it has not given out", "?cursor=nonsense", ["query", "cursor"]],
    ["more than a page may hold", "?limit=1001", ["query", "limit"]],
  ])("refuses %s", async (_, query, loc) => {
    const { status, body } = await ask(platform, { path: `/automations/${query}` });
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
  });

  it("does not show another organisation's", async () => {
    const { id } = await created();
    const { body } = await ask(platform, { path: "/automations/", bearer: platform.foreign.bearer });
    expect(body.map((automation: Json) => automation.id)).not.toContain(id);
  });
});

describe("a draft", () => {
  it("is not there before one is saved, nor once it is published", async () => {
    const automation = await created();
    const path = `${pathOf(automation)}/draft`;
    expect((await ask(platform, { path })).status).toBe(404);
    await saved(automation, { steps: [{ key: "a", name: "A", prompt_template: prompt("x") }] });
    expect((await ask(platform, { path })).status).toBe(200);
    await published(automation);
    expect((await ask(platform, { path })).status).toBe(404);
  });

  it("is not saved over one that has changed since it was read", async () => {
    const automation = await created();
    const save = (text: string, headers: Record<string, string> = {}) => {
      const body = { steps: [{ key: "a", name: "A", prompt_template: prompt(text) }] };
      return ask(platform, { method: "PUT", path: `${pathOf(automation)}/draft`, body, headers });
    };
    const tag = (await save("1")).headers.get("etag") ?? "";
    expect((await save("2", { "if-match": tag })).status).toBe(200);
    const late = await save("3", { "if-match": tag });
    expect([late.status, late.body.code]).toEqual([412, "etag_mismatch"]);
  });

  it("names the permissions that publishing it delegates", async () => {
    const template = { type: "email", subject: "s", text: "t", recipient_member_ids: [] };
    const { body } = await saved(await created(), { steps: [{ key: "a", name: "A", prompt_template: template }] });
    expect(body.permission_ids).toEqual(["emails:write"]);
  });

  it("is answered with the keys of its steps, so that it can be written again", async () => {
    const automation = await created();
    const { body } = await saved(automation, two);
    const [look, tell] = body.version.steps;
    expect(body.step_keys).toEqual([
      { step_id: look.id, key: "look", feature_keys: ["age"] },
      { step_id: tell.id, key: "tell", feature_keys: [] },
    ]);
    await published(automation);
    const { body: versions } = await ask(platform, { path: `${pathOf(automation)}/versions` });
    expect(versions[0].step_keys).toEqual(body.step_keys);
  });

  it("is answered with what it uses and reads", async () => {
    const { status, body } = await saved(await created(), two);
    expect([status, body]).toMatchObject([
      200,
      { status: "draft", feature_keys: ["age"], variables: ["features.age", "member.name"], published_at: null },
    ]);
  });

  it("is refused with the place of each mistake in the body", async () => {
    const steps = [
      { key: "a", name: "A", prompt_template: prompt("{% if %}") },
      { key: "b", name: "B", prompt_template: { type: "dance" } },
      { key: "c", name: "C", prompt_template: prompt("x") },
    ];
    const step_transitions = [
      { source: "a", target: "b", label: "ok" },
      { source: "b", target: "a", label: "ok" },
      { source: "b", target: "nowhere", label: "ok" },
    ];
    const { status, body } = await saved(await created(), { steps, step_transitions });
    expect([status, body.detail.map(({ type, loc }: Json) => [type, loc.join(".")])]).toEqual([
      422,
      [
        ["unknown_step", "body.step_transitions.2.target"],
        ["duplicate_label", "body.step_transitions.2.label"],
        ["unreachable_step", "body.steps.2.key"],
        ["cycle", "body.step_transitions.1.target"],
        ["template_invalid", "body.steps.0.prompt_template.text"],
        ["literal_error", "body.steps.1.prompt_template.type"],
      ],
    ]);
    const [literal] = body.detail.filter(({ type }: Json) => type === "literal_error");
    expect(literal).toMatchObject({ msg: expect.stringMatching(/^Input should be 'prompt'/), input: "dance" });
  });

  it("is refused with what the type of a step lacks beside what no message can hold", async () => {
    const steps = [{ key: "a", prompt_template: { type: "prompt", max_tokens: "7" } }];
    const { status, body } = await saved(await created(), { steps });
    expect([status, body.detail.map(({ type, loc }: Json) => `${loc.join(".")} ${type}`)]).toEqual([
      422,
      [
        "body.steps.0.name missing",
        "body.steps.0.prompt_template.text missing",
        "body.steps.0.prompt_template.max_tokens int_type",
      ],
    ]);
  });

  it("comes back byte for byte where its JSON is free", async () => {
    const template = '{"type":"prompt","text":"x","top_p":0.50,"seed":12345678901234567890}';
    const text = `{"steps":[{"key":"a","name":"A","prompt_template":${template}}]}`;
    const { text: answer } = await saved(await created(), text);
    expect(answer).toContain(template);
  });
});

describe("publishing", () => {
  const lone = (text: string) => ({ steps: [{ key: "a", name: "A", prompt_template: prompt(text) }] });

  it("a draft that is swapped after it was read is not published", async () => {
    const automation = await created();
    await saved(automation, lone("harmless"));
    const path = `${pathOf(automation)}/draft`;
    const reviewed = await ask(platform, { path });
    const tag = reviewed.headers.get("etag") ?? "";
    expect([reviewed.status, tag]).toEqual([200, `"${reviewed.body.revision}"`]);
    await saved(automation, lone("swapped"));
    const refused = await published(automation, { "if-match": tag });
    expect([refused.status, refused.body]).toEqual([
      412,
      {
        code: "etag_mismatch",
        detail: 'The draft has changed since: its ETag is "2". Read it again, then decide again',
      },
    ]);
    expect((await ask(platform, { path: pathOf(automation) })).body.current_version).toBeNull();
    const again = (await ask(platform, { path })).headers.get("etag") ?? "";
    const answer = await published(automation, { "if-match": again });
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, again]);
    expect(answer.body).toMatchObject({
      current_version: { steps: [{ prompt_template: prompt("swapped") }] },
      delegated_permission_ids: [],
    });
  });

  it("needs to be told which draft", async () => {
    const automation = await created();
    await saved(automation, lone("x"));
    const { status, body } = await published(automation, {});
    expect([status, body]).toEqual([
      428,
      {
        code: "precondition_required",
        detail: "If-Match is missing: read the draft, then publish it with its ETag as If-Match",
      },
    ]);
  });

  it("does not take the tag of the published version for one of a later draft", async () => {
    const automation = await created();
    const tagOf = async (text: string) => (await saved(automation, lone(text))).headers.get("etag") ?? "";
    const first = await tagOf("1");
    await published(automation, { "if-match": first });
    const second = await tagOf("2");
    expect((await published(automation, { "if-match": first })).status).toBe(412);
    expect((await published(automation, { "if-match": second })).status).toBe(200);
  });

  it("is refused without a draft, and with a feature that is not there", async () => {
    const automation = await created();
    const without = await published(automation);
    expect([without.status, without.body.code]).toEqual([409, "draft_missing"]);
    const steps = [{ key: "a", name: "A", prompt_template: prompt("x"), feature_keys: [randomUUID()] }];
    await saved(automation, { steps });
    const missing = await published(automation);
    expect([missing.status, missing.body.code]).toEqual([409, "features_unavailable"]);
  });

  it("makes a deletion of what it uses a deprecation, until the automation is deleted", async () => {
    const key = `mean ${randomUUID()}`;
    const feature = `/feature-memory/${encodeURIComponent(key)}/`;
    await ask(platform, { method: "PUT", path: `/platform/features/${encodeURIComponent(key)}`, body: {} });
    const automation = await created();
    await saved(automation, { steps: [{ key: "a", name: "A", prompt_template: prompt(`{{ features["${key}"] }}`) }] });
    await published(automation);
    const kept = await ask(platform, { method: "DELETE", path: feature });
    expect(kept.body).toMatchObject({
      hard_deleted: false,
      status: "deprecated",
      impact_warning: {
        affected_assets: [
          {
            asset_type: "automation",
            asset_id: automation.id,
            asset_name: automation.name,
            created_by_member_id: null,
          },
        ],
      },
    });
    const deleted = await ask(platform, { method: "DELETE", path: pathOf(automation) });
    expect([deleted.status, deleted.body.id]).toEqual([200, automation.id]);
    expect((await ask(platform, { path: pathOf(automation) })).status).toBe(404);
    expect((await ask(platform, { method: "DELETE", path: feature })).body).toMatchObject({ hard_deleted: true });
  });

  it("moves the versions on", async () => {
    const automation = await created();
    await saved(automation, { steps: [{ key: "a", name: "A", prompt_template: prompt("1") }] });
    await published(automation);
    await saved(automation, { steps: [{ key: "a", name: "A", prompt_template: prompt("2") }] });
    const { body } = await ask(platform, { path: `${pathOf(automation)}/versions` });
    expect(body.map(({ status }: Json) => status)).toEqual(["draft", "published"]);
  });
});
