import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, command, commandsPath, type Json, jobPath, type Reachable } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
beforeAll(async () => {
  platform = { ...platform, ...(await newRun(platform)) };
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("recording a training control command", () => {
  describe("that the job's state allows", () => {
    it("answers 201 with every field of the specification, null where there is nothing to say", async () => {
      const key = randomUUID();
      const answer = await command(platform, "pause", { idempotency_key: key, checkpoint_id: null });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(answer.body).toEqual({
        id: expect.stringMatching(uuid),
        sequence: expect.any(Number),
        action: "pause",
        checkpoint_id: null,
        status: "pending",
        idempotency_key: key,
        requested_by_member_id: expect.stringMatching(uuid),
        detail: null,
        runtime_overrides: {},
        created_at: expect.stringMatching(instant),
        applied_at: null,
      });
    });
  });

  describe("that the job's state forbids", () => {
    it("answers 201 with a rejection that names the state", async () => {
      const answer = await command(platform, "continue");
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ status: "rejected", applied_at: null });
      expect(answer.body.detail).toContain("paus");
    });
  });

  describe("with an idempotency key that was used before", () => {
    it("answers the same command again for an equal body, whatever the spelling", async () => {
      const key = randomUUID();
      const first = await command(platform, "abort", { idempotency_key: key, checkpoint_id: null });
      const again = await ask(platform, {
        path: commandsPath(platform),
        body: `{"idempotency_key":"${key.toUpperCase()}", "runtime_overrides": {}, "action":"abort"}`,
      });
      expect(again.status).toBe(201);
      expect(again.body.id).toBe(first.body.id);
      expect(again.body.sequence).toBe(first.body.sequence);
    });

    it("answers 422 at the key when the body differs", async () => {
      const key = randomUUID();
      await command(platform, "pause", { idempotency_key: key });
      const other = await command(platform, "abort", { idempotency_key: key });
      expect(other.status).toBe(422);
      expect(other.body.detail).toHaveLength(1);
      expect(other.body.detail[0]).toMatchObject({
        type: "idempotency_key_reused",
        loc: ["body", "idempotency_key"],
        input: key,
      });
    });

    it("makes one command of twenty equal requests at once", async () => {
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => command(platform, "pause", { idempotency_key: key })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });
  });

  describe("by 200 callers at once on one job", () => {
    it("gives every command the next sequence, without a gap", async () => {
      const before: Json[] = (await ask(platform, { path: `${jobPath(platform)}/commands` })).body;
      const last = before.at(-1)?.sequence ?? 0;
      const answers = await Promise.all(Array.from({ length: 200 }, () => command(platform, "pause")));
      const sequences = answers.map(({ body }) => body.sequence).sort((a, b) => a - b);
      expect(sequences).toEqual(Array.from({ length: 200 }, (_, index) => last + 1 + index));
    });
  });

  describe("with values that must be empty for the action", () => {
    it.each([
      ["a checkpoint with pause", { action: "pause", checkpoint_id: randomUUID() }, "checkpoint_id"],
      [
        "overrides with finish_from_checkpoint",
        { action: "finish_from_checkpoint", runtime_overrides: { learning_rate: 0.1 } },
        "runtime_overrides",
      ],
      ["a supervision without its token", { action: "pause", supervision_id: randomUUID() }, "supervision_lease_token"],
      ["a token without its supervision", { action: "pause", supervision_lease_token: randomUUID() }, "supervision_id"],
    ])("answers 422 for %s", async (_, body, field) => {
      const answer = await ask(platform, {
        path: commandsPath(platform),
        body: { idempotency_key: randomUUID(), ...body },
      });
      expect(answer.status).toBe(422);
      expect(answer.body.detail[0].loc).toEqual(["body", field]);
    });
  });

  describe("with overrides that look like an attack", () => {
    it.each([
      ['{"__proto__": {"polluted": 1}}'],
      ['{"$where": "sleep(1000)"}'],
      ['{"a.b": {"$gt": ""}}'],
      ['{"": null, "constructor": {"prototype": {}}}'],
      ['{"big": 9007199254740993, "small": 1e-300, "text": "\\u00e9"}'],
    ])("keeps %s as the text it is", async (overrides) => {
      const body = `{"action":"resume","idempotency_key":"${randomUUID()}","runtime_overrides":${overrides}}`;
      const answer = await ask(platform, { path: commandsPath(platform), body });
      expect(answer.status).toBe(201);
      expect(answer.text).toContain(`"runtime_overrides":${overrides}`);
      const stored = await ask(platform, { path: `${jobPath(platform)}/commands/${answer.body.id}` });
      expect(stored.text).toContain(`"runtime_overrides":${overrides}`);
    });
  });

  describe("with unknown fields in body and query", () => {
    it("ignores them", async () => {
      const path = `${commandsPath(platform)}?unknown=1`;
      const body = { action: "pause", idempotency_key: randomUUID(), is_system: true, status: "applied" };
      expect((await ask(platform, { path, body })).status).toBe(201);
    });
  });

  describe("at the path with a trailing slash", () => {
    it("answers directly, without a redirect", async () => {
      const path = `${commandsPath(platform)}/`;
      expect((await ask(platform, { path, body: { action: "pause", idempotency_key: randomUUID() } })).status).toBe(
        201,
      );
    });
  });

  describe("for a job that cannot be reached", () => {
    const elsewhere = (change: Partial<Reachable>) => commandsPath({ ...platform, ...change });
    const body = { action: "pause", idempotency_key: randomUUID() };

    it("answers the same 404 for what does not exist and for what is another organisation's", async () => {
      const answers = await Promise.all(
        [
          elsewhere({ run_id: randomUUID() }),
          elsewhere({ pipeline_id: randomUUID() }),
          elsewhere({ job_name: "no-such-job" }),
          elsewhere(platform.foreign),
          elsewhere({ run_id: platform.foreign.run_id }),
        ].map((path) => ask(platform, { path, body })),
      );
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(5).fill([404, '{"detail":"Not found"}']));
    });
  });
});

describe("the credential of a command", () => {
  const attempt = (headers: Record<string, string>, bearer: string | null = null) =>
    ask(platform, {
      path: commandsPath(platform),
      headers,
      bearer,
      body: { action: "pause", idempotency_key: randomUUID() },
    });

  it("may be an API key in its own header, and then no member is named", async () => {
    const answer = await attempt({ "api-key": platform.api_key });
    expect(answer.status).toBe(201);
    expect(answer.body.requested_by_member_id).toBeNull();
  });

  it("may be an API key as bearer", async () => {
    expect((await attempt({}, platform.api_key)).status).toBe(201);
  });

  it("may be both when they are of one organisation, and then the member is the bearer's", async () => {
    const answer = await attempt({ "api-key": platform.api_key }, platform.bearer);
    expect(answer.status).toBe(201);
    expect(answer.body.requested_by_member_id).toMatch(uuid);
  });

  it.each([
    ["nothing", () => attempt({})],
    ["an unknown key", () => attempt({ "api-key": "aip_unknown" })],
    ["a broken token", () => attempt({}, "e30.e30.x")],
    ["a bad key beside a good bearer", () => attempt({ "api-key": "aip_unknown" }, platform.bearer)],
    ["a bad bearer beside a good key", () => attempt({ "api-key": platform.api_key }, "nonsense")],
    [
      "a key and a bearer of two organisations",
      () => attempt({ "api-key": platform.foreign.api_key }, platform.bearer),
    ],
  ])("is refused with 401 when it is %s", async (_, send) => {
    const answer = await send();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(typeof answer.body.detail).toBe("string");
  });

  it("is checked before the body is read", async () => {
    const answer = await ask(platform, { path: commandsPath(platform), bearer: null, body: "{" });
    expect(answer.status).toBe(401);
  });
});

describe("a body that no client should send", () => {
  const path = () => commandsPath(platform);
  it.each([
    ["20 MB of JSON", () => `{"runtime_overrides":{"a":"${"x".repeat(20_000_000)}"}}`, [413]],
    ["a million brackets", () => "[".repeat(1_000_000), [400]],
    ["a number of 5,000 digits", () => `{"runtime_overrides":{"a":${"9".repeat(5_000)}}}`, [400, 422]],
    ["NaN", () => '{"action":NaN}', [422]],
    ["nothing", () => "", [422]],
  ])("is refused with a clear 4xx: %s", async (_, body, statuses) => {
    const answer = await ask(platform, { path: path(), body: body() });
    expect(statuses).toContain(answer.status);
    expect(answer.body.detail).toBeDefined();
    expect(answer.text.length).toBeLessThan(262_144);
  });

  it("leaves the gateway answering the next request", async () => {
    expect((await command(platform, "pause")).status).toBe(201);
  });
});
