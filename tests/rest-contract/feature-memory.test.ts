import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
let key: string;

sharedPlatform(({ description }) => {
  platform = description;
});
beforeEach(() => {
  key = `age ${randomUUID()}`;
});

const featurePath = (name = key) => `/platform/features/${encodeURIComponent(name)}`;
const put = (body = {}, name = key) => ask(platform, { method: "PUT", path: featurePath(name), body });
const remove = (query = "", name = key) =>
  ask(platform, { method: "DELETE", path: `/feature-memory/${encodeURIComponent(name)}/${query}` });
const usagePath = (type: string, id: string) => `${featurePath()}/usages/${type}/${id}`;
const use = (type = "notebook") =>
  ask(platform, { method: "PUT", path: usagePath(type, "d1"), body: { asset_name: "Churn", annotations: { w: 1 } } });

describe("DELETE /feature-memory/{feature_key}/", () => {
  it("deletes what nothing uses, and is not found then", async () => {
    await put();
    const { status, body } = await remove();
    const message = `Nothing uses the feature "${key}": it is deleted.`;
    expect([status, body]).toEqual([
      200,
      { key, hard_deleted: true, status: "deleted", version: 1, impact_warning: { message, affected_assets: [] } },
    ]);
    const gone = await remove();
    expect([gone.status, gone.body]).toEqual([404, { detail: "Not found" }]);
  });

  it("deprecates what is in use, and lists what uses it with every field of the specification", async () => {
    const { body: feature } = await put();
    await use();
    const { status, body } = await remove();
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([status, body]).toEqual([
      200,
      {
        key,
        hard_deleted: false,
        status: "deprecated",
        version: 2,
        impact_warning: {
          message: `1 asset uses the feature "${key}": it is deprecated, not deleted.`,
          affected_assets: [
            {
              asset_type: "notebook",
              asset_id: "d1",
              id: expect.any(String),
              feature_id: feature.id,
              organisation_id: feature.organisation_id,
              created_at: instant,
              updated_at: instant,
              asset_name: "Churn",
              usage_notes: "",
              annotations: { w: 1 },
              created_by_member_id: expect.anything(),
              updated_by_member_id: expect.anything(),
            },
          ],
        },
      },
    ]);
  });

  it("changes nothing when asked to try", async () => {
    await put();
    const { body } = await remove("?dry_run=true");
    expect([body.hard_deleted, body.status, body.version]).toEqual([false, "active", 1]);
    expect((await ask(platform, { path: featurePath() })).body).toMatchObject({ status: "active", version: 1 });
  });

  it("deprecates what nothing uses when asked to keep it, and the feature can be restored", async () => {
    await put();
    const { body } = await remove("?keep=true");
    expect([body.hard_deleted, body.status, body.version]).toEqual([false, "deprecated", 2]);
    const { status, body: restored } = await ask(platform, { method: "POST", path: `${featurePath()}/restore` });
    expect([status, restored.status, restored.version, restored.deprecated_at]).toEqual([200, "active", 3, null]);
  });

  it.each(["a/b", "50%", "%2F", "a+b", "äö€", "{x}?y=1#z", "..", "a\\b"])(
    "takes the key %s percent-encoded, and decodes it once",
    async (odd) => {
      const name = `${randomUUID()}${odd}`;
      expect((await put({}, name)).body.key).toBe(name);
      const { status, body } = await remove("", name);
      expect([status, body.key, body.hard_deleted]).toEqual([200, name, true]);
    },
  );

  it("answers a key without its slash at the end alike", async () => {
    await put();
    const path = `/feature-memory/${encodeURIComponent(key)}`;
    expect((await ask(platform, { method: "DELETE", path })).body.hard_deleted).toBe(true);
  });

  it("knows no feature of a key that is longer than any", async () => {
    const { status, body } = await remove("", "k".repeat(256));
    expect([status, body]).toEqual([404, { detail: "Not found" }]);
  });
});

describe("what uses a feature", () => {
  beforeEach(() => put());

  it("is told for other things than automations, which the platform knows itself", async () => {
    const { status, body } = await use("automation");
    expect([status, body.detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([422, [["path", "asset_type"]]]);
  });

  it("cannot be new once the feature is deprecated", async () => {
    await remove("?keep=true");
    const { status, body } = await use();
    expect([status, body.code]).toEqual([409, "feature_deprecated"]);
  });

  it("is listed page after page by the link that each page has", async () => {
    for (const id of ["a", "b", "c"]) {
      await ask(platform, { method: "PUT", path: usagePath("notebook", id), body: { asset_name: id } });
    }
    const names: string[] = [];
    let next: string | undefined = `${featurePath()}/usages?limit=2`;
    while (next !== undefined) {
      const { body, headers } = await ask(platform, { path: next });
      names.push(...body.map(({ asset_name: name }: { asset_name: string }) => name));
      next = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(names).toEqual(["a", "b", "c"]);
  });

  it("is forgotten when a caller says so", async () => {
    await use();
    const { status, body } = await ask(platform, { method: "DELETE", path: usagePath("notebook", "d1") });
    expect([status, body.asset_name]).toEqual([200, "Churn"]);
    expect((await remove()).body.hard_deleted).toBe(true);
  });
});
