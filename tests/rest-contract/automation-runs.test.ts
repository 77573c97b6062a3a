import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];

sharedPlatform(({ description }) => {
  platform = description;
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const prompt = (key: string, text: string) => ({
  key,
  name: `Step ${key}`,
  prompt_template: { type: "prompt", text },
});
const odd = {
  steps: [
    prompt("look", "Is {{ input.count }} odd?\nanswer: {{ input.answer }}"),
    prompt("tell", "Tell."),
    prompt("no", "No."),
  ],
  step_transitions: [
    { source: "look", target: "tell", label: "odd" },
    { source: "look", target: "no", label: "even" },
  ],
};

/** The path of a new automation, published with this draft where one is given. */
async function automation(draft?: object): Promise<string> {
  const { body } = await ask(platform, { path: "/platform/automations", body: { name: `Runs ${randomUUID()}` } });
  const path = `/platform/automations/${body.id}`;
  if (!draft) return path;
  const saved = await ask(platform, { method: "PUT", path: `${path}/draft`, body: draft });
  const published = await ask(platform, { method: "POST", path: `${path}/publish`, headers: { "if-match": "*" } });
  if (saved.status !== 200 || published.status !== 200) throw new Error(`${saved.text} ${published.text}`);
  return path;
}

/** A new API key that may do this. */
const newKey = async (...permission_ids: string[]): Promise<Json> =>
  (await ask(platform, { path: "/platform/api-keys", body: { name: "key", permission_ids } })).body;

const publish = (path: string, bearer?: string) =>
  ask(platform, {
    method: "POST",
    path: `${path}/publish`,
    headers: { "if-match": "*" },
    ...(bearer === undefined ? {} : { bearer }),
  });

const start = (path: string, body: Json = {}, headers: Record<string, string> = {}) =>
  ask(platform, { path: `${path}/runs`, body, headers });

/** The run once it has ended. */
async function ended({ id }: Json): Promise<Json> {
  const look = async () => (await ask(platform, { path: `/platform/automation-runs/${id}` })).body;
  return until("the run to end", 60, look, ({ ended_at }: Json) => ended_at !== null);
}

describe("POST /platform/automations/{automation_id}/runs", () => {
  it("answers 201 with a run that goes on by itself, and whose history can be read", async () => {
    const path = await automation(odd);
    const input = { count: 12345678901234567890n.toString(), answer: "odd" };
    const { status, body } = await start(path, { input });
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        automation_id: path.split("/").at(-1),
        version_id: uuid,
        status: "queued",
        started_by: "demand",
        input,
        error: null,
        steps: [],
        created_at: instant,
        ended_at: null,
      },
    ]);
    const run = await ended(body);
    expect(run).toMatchObject({ id: body.id, status: "succeeded", error: null, ended_at: instant });
    const step = { step_id: uuid, type: "prompt", status: "succeeded", error: null, attempts: 1 };
    const times = { started_at: instant, ended_at: instant };
    expect(run.steps).toEqual([
      { ...step, ...times, name: "Step look", label: "odd", output: { text: "odd" } },
      { ...step, ...times, name: "Step tell", label: null, output: { text: expect.any(String) } },
    ]);
    const list = await ask(platform, { path: `${path}/runs` });
    expect([list.status, list.body]).toEqual([200, [{ ...run, steps: [] }]]);
  });

  it("answers a repeat with its key as the first", async () => {
    const path = await automation(odd);
    const headers = { "idempotency-key": randomUUID() };
    const first = await start(path, {}, headers);
    const again = await start(path, {}, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("is 409 where nothing is published, and where the automation is disabled", async () => {
    const nothing = await start(await automation());
    expect([nothing.status, nothing.body.code]).toEqual([409, "nothing_published"]);
    const path = await automation(odd);
    await ask(platform, { method: "PATCH", path: `${path}/settings`, body: { enabled: false } });
    const disabled = await start(path);
    expect([disabled.status, disabled.body.code]).toEqual([409, "automation_disabled"]);
  });

  it.each([
    ["is no object", { input: [1] }, "dict_type"],
    ["is too large", { input: { text: "x".repeat(65_536) } }, "input_too_large"],
  ])("is 422 with an input that %s", async (_, body, type) => {
    const { status, body: answer } = await start(await automation(odd), body);
    expect([status, answer.detail.map((problem: Json) => [problem.type, problem.loc])]).toEqual([
      422,
      [[type, ["body", "input"]]],
    ]);
  });

  it("is 404 for another organisation's automation and run", async () => {
    const path = await automation(odd);
    const { id } = (await start(path)).body;
    const { bearer } = platform.foreign;
    const asked = [
      { path: `${path}/runs`, body: {} },
      { path: `${path}/runs` },
      { path: `${path}/settings` },
      { path: `/platform/automation-runs/${id}` },
      { method: "POST", path: `/platform/automation-runs/${id}/cancel` },
    ];
    for (const one of asked) expect((await ask(platform, { ...one, bearer })).status).toBe(404);
  });
});

describe("a run that failed", () => {
  it("says why, and is counted until a success", async () => {
    const path = await automation(odd);
    const { body } = await start(path, { input: { count: 1, answer: "neither" } });
    const run = await ended(body);
    const error = 'The answer begins with none of the labels "odd", "even"';
    expect(run).toMatchObject({
      status: "failed",
      error: `Step "look": ${error}`,
      steps: [{ status: "failed", error }],
    });
    const settings = await ask(platform, { path: `${path}/settings` });
    expect([settings.status, settings.body]).toEqual([
      200,
      {
        automation_id: run.automation_id,
        enabled: true,
        disabled_reason: null,
        failures_until_disabled: 5,
        failures_in_a_row: 1,
        owner_member_id: settings.body.owner_member_id,
        next_run_at: null,
        drafts_for_owner: false,
      },
    ]);
    await ended((await start(path, { input: { count: 1, answer: "odd" } })).body);
    expect((await ask(platform, { path: `${path}/settings` })).body.failures_in_a_row).toBe(0);
  });
});

describe("a trigger", () => {
  it("starts a run on an event of the organisation, in which the event can be read", async () => {
    const trigger = { event: "content.dataset.created", when: "event.name contains 'sales'" };
    const path = await automation({ steps: [prompt("a", "Describe {{ event.name }}.")], trigger });
    for (const name of ["stock", "sales of May"]) {
      await ask(platform, { path: "/platform/datasets", body: { name, columns: [{ name: "price" }] } });
    }
    const look = async () => (await ask(platform, { path: `${path}/runs` })).body;
    const [listed] = await until("a run", 60, look, (runs: Json[]) => runs.length > 0);
    const run = await ended(listed);
    expect(run).toMatchObject({ status: "succeeded", started_by: trigger.event, input: { name: "sales of May" } });
    const versions = await ask(platform, { path: `${path}/versions` });
    expect(versions.body.map((version: Json) => version.trigger)).toEqual([{ ...trigger, schedule: null }]);
    expect(await look()).toHaveLength(1);
  });

  it("is 403 to publish for a caller who may not read its events, and the draft says what is needed", async () => {
    const { secret } = await newKey("automations:read", "automations:write");
    const path = await automation();
    const body = { steps: [prompt("a", "Describe {{ event.name }}.")], trigger: { event: "content.dataset.created" } };
    const saved = await ask(platform, { method: "PUT", path: `${path}/draft`, body, bearer: secret });
    expect(saved.body.permission_ids).toEqual(["dictionary:read"]);
    const refused = await publish(path, secret);
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        detail: expect.stringMatching(/^Missing permission: dictionary:read\. The trigger content\.dataset\.created /),
        code: "permission_missing",
      },
    ]);
    expect((await publish(path)).body.delegated_permission_ids).toEqual(["dictionary:read"]);
  });

  it("gives nothing of an event to a run whose publisher may not read it by then", async () => {
    const { api_key: key, secret } = await newKey("automations:read", "automations:write", "dictionary:read");
    const path = await automation();
    const body = { steps: [prompt("a", "Describe {{ event.name }}.")], trigger: { event: "content.dataset.created" } };
    await ask(platform, { method: "PUT", path: `${path}/draft`, body });
    expect((await publish(path, secret)).status).toBe(200);
    expect((await ask(platform, { method: "DELETE", path: `/platform/api-keys/${key.id}` })).status).toBe(200);
    const look = async () => {
      // Until content has heard that the key was revoked, which takes less than a second.
      await ask(platform, { path: "/platform/datasets", body: { name: "secret", columns: [{ name: "price" }] } });
      const runs: Json[] = (await ask(platform, { path: `${path}/runs` })).body;
      return runs.find(({ status }) => status === "failed");
    };
    const failed = await until("a run that failed", 60, look, (run) => run !== undefined);
    const { body: run } = await ask(platform, { path: `/platform/automation-runs/${failed?.id}` });
    const error = "The trigger: The publisher's delegation was revoked: publish it again";
    expect(run).toMatchObject({ status: "failed", started_by: "content.dataset.created", error, input: {}, steps: [] });
  });

  it("is refused with the place of each mistake", async () => {
    const trigger = { event: "content.dataset.sold", when: "event.name ==" };
    const body = { steps: [prompt("a", "x")], trigger };
    const saved = await ask(platform, { method: "PUT", path: `${await automation()}/draft`, body });
    expect([saved.status, saved.body.detail.map(({ type, loc }: Json) => [type, loc.join(".")])]).toEqual([
      422,
      [
        ["unknown_event", "body.trigger.event"],
        ["template_invalid", "body.trigger.when"],
      ],
    ]);
  });
});

describe("a schedule", () => {
  const steps = [prompt("a", "Report of {{ event.due_at }}")];
  const draftWith = (schedule: Json) => ({ steps, trigger: { event: "schedule", schedule } });

  it("is answered with the version, and says when it starts the next run", async () => {
    const schedule = { cron: "30 6 29 2 *", time_zone: "Europe/Berlin", missed: "catch_up" };
    const path = await automation(draftWith(schedule));
    const versions = await ask(platform, { path: `${path}/versions` });
    expect(versions.body).toMatchObject([
      { trigger: { event: "schedule", when: "", schedule }, permission_ids: ["automations:run"] },
    ]);
    const next_run_at = expect.stringMatching(/^\d{4}-02-29T05:30:00.000Z$/);
    expect((await ask(platform, { path: `${path}/settings` })).body).toMatchObject({ next_run_at });
    const disabled = await ask(platform, { method: "PATCH", path: `${path}/settings`, body: { enabled: false } });
    expect(disabled.body).toMatchObject({ enabled: false, next_run_at: null });
  });

  it("is refused with the place of each mistake", async () => {
    const body = draftWith({ cron: "0 25 * * *", time_zone: "Mars/Base" });
    const saved = await ask(platform, { method: "PUT", path: `${await automation()}/draft`, body });
    expect([saved.status, saved.body.detail.map(({ type, loc }: Json) => [type, loc.join(".")])]).toEqual([
      422,
      [
        ["cron_invalid", "body.trigger.schedule.cron"],
        ["time_zone_unknown", "body.trigger.schedule.time_zone"],
      ],
    ]);
  });
});

describe("POST /platform/automation-runs/{run_id}/cancel", () => {
  it("gives up a run that waits, and leaves it so", async () => {
    const training = {
      type: "train",
      action: "start_run",
      pipeline_id: platform.pipeline_id,
      jobs: [{ name: "train" }],
    };
    const path = await automation({ steps: [{ key: "train", name: "Train", prompt_template: training }] });
    const { id } = (await start(path)).body;
    const look = async () => (await ask(platform, { path: `/platform/automation-runs/${id}` })).body;
    await until("the run to wait", 60, look, ({ status }: Json) => status === "waiting");
    const cancel = { method: "POST", path: `/platform/automation-runs/${id}/cancel` };
    const { status, body } = await ask(platform, cancel);
    expect([status, body]).toMatchObject([
      200,
      { status: "cancelled", error: "Cancelled on request", steps: [{ status: "cancelled" }] },
    ]);
    expect((await ask(platform, cancel)).body).toEqual(body);
    expect(await look()).toEqual(body);
  });
});
