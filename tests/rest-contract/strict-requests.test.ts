import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, command, type Json } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const problemsOf = ({ status, body }: { status: number; body: Json }) => [
  status,
  body.detail.map(({ type, loc }: Json) => `${loc.join(".")} ${type}`),
];

describe("an operation under /platform/", () => {
  it("refuses a misspelt field, which silently made something of the default", async () => {
    const key = { name: "key", permission_ids: ["metrics:read"], expire_at: "2999-01-01T00:00:00Z" };
    const answer = await ask(platform, { path: "/platform/api-keys", body: key });
    expect(problemsOf(answer)).toEqual([422, ["body.expire_at extra_forbidden"]]);
  });

  it("refuses a misspelt parameter, which was answered as if it had not been sent", async () => {
    const answer = await ask(platform, { path: "/platform/roles?limt=1" });
    expect(problemsOf(answer)).toEqual([422, ["query.limt extra_forbidden"]]);
  });

  it("refuses a time without a zone, which was taken as UTC", async () => {
    const key = { name: "key", permission_ids: ["metrics:read"], expires_at: "2999-01-01T00:00:00" };
    const answer = await ask(platform, { path: "/platform/api-keys", body: key });
    expect(problemsOf(answer)).toEqual([422, ["body.expires_at timezone_aware"]]);
  });

  it("takes what an OAuth provider adds to its redirect", async () => {
    const { status } = await ask(platform, { path: "/platform/external-oauth/callback?state=x&code=y&iss=z&scope=a" });
    expect(status).toBe(400);
  });
});

describe("an operation of the specification", () => {
  it("ignores what it does not know", async () => {
    const role = { name: "x", slug: `x-${randomUUID()}`, permission_ids: [], colour: "red" };
    expect((await ask(platform, { path: "/organisations/roles/?verbose=1", body: role })).status).toBe(201);
    expect((await command(platform, "pause", { runtime_override: {} })).status).toBe(201);
  });
});
