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

  const json = { "content-type": "application/json" };
  const text = { "content-type": "text/plain" };

  it.each([
    ["no content type", {}, "utf8", 422, "Content-Type is missing: send the body as application/json"],
    ["another type", text, "utf8", 422, "Content-Type is not JSON: send the body as application/json"],
    ["another encoding", json, "latin1", 400, "The body is not UTF-8: send JSON in UTF-8"],
  ] as const)("says in X-Error-Hint what its errors cannot say of a body with %s", async (...row) => {
    const [, type, encoding, status, hint] = row;
    // A typed array, for which fetch sends no content type.
    const body = Buffer.from('{"name":"Grüße"}', encoding);
    const headers = { authorization: `Bearer ${platform.bearer}`, ...type };
    const answer = await fetch(`${platform.gateway}/organisations/roles/`, { method: "POST", headers, body });
    expect([answer.status, answer.headers.get("x-error-hint")]).toEqual([status, hint]);
    await answer.body?.cancel();
  });
});
