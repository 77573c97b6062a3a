import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";

const maxLimit = 1_125_899_906_842_624;

let platform: LocalPlatform;
let operatorKey: string;
/** An organisation of the test's own, and a key with every permission of it. */
let organisation: { id: string; bearer: string };
sharedPlatform((started) => (platform = started));
beforeAll(async () => {
  operatorKey = await readFile(join(platform.directory, "secrets", "operator-key"), "utf8");
});
beforeEach(async () => {
  const slug = `q-${randomUUID()}`.slice(0, 30);
  const body = { slug, name: "Quotas", administrator: { display_name: "Ada", email: `${slug}@example.com` } };
  const { body: made } = await ask(platform.description, {
    path: "/platform/organisations",
    body,
    bearer: operatorKey,
  });
  organisation = { id: made.organisation.id, bearer: made.api_key_secret };
});

const path = (id = organisation.id) => `/platform/organisations/${id}/quotas`;
const put = (body: unknown, { id = organisation.id, bearer = operatorKey } = {}) =>
  ask(platform.description, { method: "PUT", path: path(id), body, bearer });
const get = ({ id = organisation.id, bearer = operatorKey } = {}) =>
  ask(platform.description, { path: path(id), bearer });
const asOrganisation = (asked: { path: string; body?: Json }) =>
  ask(platform.description, { ...asked, bearer: organisation.bearer });

/** The limits that the organisation sees, by the names of the quotas. */
async function seen(): Promise<Record<string, number>> {
  const { body } = await asOrganisation({ path: "/platform/quotas" });
  return Object.fromEntries(body.map(({ name, limit }: Json) => [name, limit]));
}

const untilSeen = (limits: Record<string, number>) =>
  until("the limits to be known", 20, seen, (found) =>
    Object.entries(limits).every(([name, limit]) => found[name] === limit),
  );

const none = {
  members: null,
  api_keys: null,
  pipelines: null,
  runs: null,
  run_configuration_bytes: null,
  email_drafts: null,
  deployments: null,
  instance_memory_mb: null,
  artifact_bytes: null,
  dataset_versions: null,
  dataset_bytes: null,
};

describe("PUT and GET /platform/organisations/{organisation_id}/quotas", () => {
  it("answer what is set, which a PUT replaces as a whole and {} removes", async () => {
    expect((await get()).body).toEqual(none);
    for (const limits of [{ deployments: 800, runs: 0 }, { artifact_bytes: maxLimit }, {}]) {
      expect(await put(limits)).toMatchObject({ status: 200, body: { ...none, ...limits } });
      expect(await get()).toMatchObject({ status: 200, body: { ...none, ...limits } });
    }
  });

  it("take back what they answered", async () => {
    const { body } = await put({ members: 5 });
    expect(await put(body)).toMatchObject({ status: 200, body: { ...none, members: 5 } });
  });

  it.each<[string, unknown, Json]>([
    [
      "a quota that there is not",
      { deployment: 3 },
      { type: "extra_forbidden", loc: ["body", "deployment"], msg: expect.stringContaining("deployments") },
    ],
    ["less than nothing", { runs: -1 }, { type: "greater_than_equal", loc: ["body", "runs"] }],
    ["more than the maximum", { runs: maxLimit + 1 }, { type: "less_than_equal", loc: ["body", "runs"] }],
    ["a part", { runs: 1.5 }, { loc: ["body", "runs"] }],
    ["a text", { runs: "many" }, { loc: ["body", "runs"] }],
    ["no body", undefined, { type: "missing", loc: ["body"] }],
  ])("refuse %s with 422 that names the field, and change nothing", async (_title, body, expected) => {
    await put({ runs: 7 });
    const answer = await put(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([expect.objectContaining(expected)]);
    expect((await get()).body).toEqual({ ...none, runs: 7 });
  });

  it("are the operator's alone, and know only organisations that there are", async () => {
    const missing = { detail: "Missing permission: organisations:manage", code: "permission_missing" };
    expect(await put({ runs: 1 }, { bearer: organisation.bearer })).toMatchObject({ status: 403, body: missing });
    expect(await get({ bearer: organisation.bearer })).toMatchObject({ status: 403, body: missing });
    const id = randomUUID();
    expect([(await put({ runs: 1 }, { id })).status, (await get({ id })).status]).toEqual([404, 404]);
    expect((await get({ id: "acme" })).status).toBe(422);
  });
});

describe("limits that the operator has set", () => {
  const newMember = () =>
    asOrganisation({
      path: "/platform/members",
      body: { member: { display_name: "Grace", email: `${randomUUID()}@example.com` }, role_ids: [] },
    });
  const newDraft = () => asOrganisation({ path: "/platform/email-drafts", body: { subject: "News", text: "Hello" } });
  const refusal = ({ status, body }: Answer) => [status, body.code, body.detail];

  it("are those of GET /platform/quotas, whichever service counts them", async () => {
    const before = await seen();
    const limits = Object.fromEntries(Object.keys(none).map((name, index) => [name, 11 + index]));
    await put(limits);
    await untilSeen(limits);
    expect(await seen()).toEqual(limits);
    await put({});
    await untilSeen(before);
  });

  it("hold at once where they are counted by identity, and are in the refusal", async () => {
    await put({ members: 1 });
    expect(refusal(await newMember())).toEqual([
      403,
      "quota_exceeded",
      "The organisation has 1 of 1 members. Deactivate one, or ask the operator for a higher quota.",
    ]);
    await put({ members: 2 });
    expect((await newMember()).status).toBe(201);
    expect(refusal(await newMember())).toEqual([403, "quota_exceeded", expect.stringContaining("2 of 2 members")]);
  });

  it("hold in another service once it has heard of them; a lower one takes nothing away", async () => {
    for (let count = 0; count < 2; count++) expect((await newDraft()).status).toBe(201);
    await put({ email_drafts: 1 });
    await untilSeen({ email_drafts: 1 });
    expect(refusal(await newDraft())).toEqual([
      403,
      "quota_exceeded",
      "The organisation has 2 of 1 e-mail drafts that were not sent. Delete one, or ask the operator for a higher quota.",
    ]);
    expect((await asOrganisation({ path: "/platform/email-drafts" })).body).toHaveLength(2);
    await put({ email_drafts: 3 });
    await untilSeen({ email_drafts: 3 });
    expect((await newDraft()).status).toBe(201);
  });

  it("leave a record in the organisation's audit log, with the operator as its actor", async () => {
    await put({ members: 4 });
    const records = await until(
      "the record",
      20,
      async () => (await asOrganisation({ path: "/platform/audit?action=identity.organisation.quotas_set" })).body,
      (found: Json) => found.length > 0,
    );
    expect(records).toMatchObject([{ entity_id: organisation.id, actor: { credential_id: "operator" } }]);
  });
});
