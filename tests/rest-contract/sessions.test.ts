import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { type Ask, ask, type Json, metricsPath, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

/** The cookie of a new session, as a browser sends it. */
async function signIn(credential: string): Promise<{ cookie: string; session: Json }> {
  const answer = await ask(platform, { path: "/platform/sessions", body: {}, bearer: credential });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { cookie, session: answer.body };
}

/** Asks as a page of the console does. */
const asPage = (cookie: string, { headers, ...wanted }: Ask) =>
  ask(platform, { ...wanted, bearer: null, headers: { cookie, origin: platform.gateway, ...headers } });

const newKey = async (...permission_ids: string[]) =>
  (await ask(platform, { path: "/platform/api-keys", body: { name: "pasted", permission_ids } })).body;

let cookie: string;
beforeAll(async () => {
  ({ cookie } = await signIn(platform.bearer));
});

describe("a session in a browser", () => {
  it("is opened with a pasted key, and says who acts in it", async () => {
    const { api_key, secret } = await newKey("metrics:read");
    const pasted = await signIn(secret);
    const { status, body } = await asPage(pasted.cookie, { path: "/platform/session" });
    expect([status, body]).toEqual([200, pasted.session]);
    expect(body).toMatchObject({ method: "api_key", name: "pasted", permission_ids: ["metrics:read"], member: null });
    expect(body.api_key.id).toBe(api_key.id);
  });

  it("is never shown to a script: the token is in the cookie alone", async () => {
    const answer = await ask(platform, { path: "/platform/sessions", body: {} });
    const setCookie = answer.headers.get("set-cookie") ?? "";
    expect(setCookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(answer.text).not.toContain("ais_");
  });

  it("is opened once with a sign-in code", async () => {
    const { body } = await ask(platform, { path: "/platform/sign-in-codes", body: {} });
    expect(body.sign_in_url).toBe(`${platform.gateway}/console/sign-in#code=${body.code}`);
    await signIn(body.code);
    const again = await ask(platform, { path: "/platform/sessions", body: {}, bearer: body.code });
    expect(again.status).toBe(401);
  });

  it("may write from a page of ours", async () => {
    const slug = `r${crypto.randomUUID()}`;
    const body = { slug, name: "By a page", permission_ids: [] };
    expect((await asPage(cookie, { path: "/organisations/roles/", body })).status).toBe(201);
  });

  it("gives way to a credential that is shown beside it", async () => {
    const { secret } = await newKey("metrics:read");
    const headers = { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const both = await ask(platform, { path: "/platform/session", bearer: secret, headers });
    expect([both.status, both.body.name]).toEqual([200, "pasted"]);
    const bad = await ask(platform, { path: "/platform/session", bearer: "aip_bad", headers });
    expect(bad.status).toBe(401);
  });

  it("is over once it is signed out, here and in the cookie", async () => {
    const mine = await signIn(platform.bearer);
    const out = await asPage(mine.cookie, { method: "DELETE", path: "/platform/session" });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([
      200,
      "aiplatform-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    ]);
    const probe = () => asPage(mine.cookie, { path: "/platform/session" });
    await until("the session to be over", 10, probe, ({ status }) => status === 401);
  });

  it("ends with its key, and so does a stream that was opened in it", async () => {
    const run = { ...platform, ...(await newRun(platform)) };
    const { api_key, secret } = await newKey("metrics:read");
    const pasted = await signIn(secret);
    const headers = { cookie: pasted.cookie, accept: "text/event-stream" };
    const signal = AbortSignal.timeout(30_000);
    const { body } = await fetch(`${run.gateway}/platform${metricsPath(run)}stream`, { headers, signal });
    const reader = body?.getReader();
    await reader?.read();
    await ask(platform, { method: "DELETE", path: `/platform/api-keys/${api_key.id}` });
    let last = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      last = new TextDecoder().decode(part.value);
    }
    expect(last).toMatch(/revoked|ended/);
  });
});

/** Each kind of write, of each service. */
const writes: [string, string][] = [
  ["POST", "/platform/api-keys"],
  ["POST", "/platform/sessions"],
  ["DELETE", "/platform/session"],
  ["PUT", "/platform/api-key-policy"],
  ["POST", "/platform/pipelines"],
  ["POST", "/deployments/"],
  ["POST", "/platform/datasets"],
  ["POST", `/platform/deployments/${crypto.randomUUID()}/v2/models/m/infer`],
];

describe("a write with the cookie", () => {
  it.each(writes)("without an origin is refused: %s %s", async (method, path) => {
    const answer = await ask(platform, { method, path, body: {}, bearer: null, headers: { cookie } });
    expect([answer.status, answer.body.code ?? answer.body.type]).toEqual([
      403,
      expect.stringContaining("foreign_origin"),
    ]);
  });

  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["a page that the browser knows to be foreign", { "sec-fetch-site": "same-site" }],
  ])("from %s is refused", async (_, headers) => {
    for (const [method, path] of writes) {
      expect((await asPage(cookie, { method, path, body: {}, headers })).status, path).toBe(403);
    }
  });
});

describe("the cookie", () => {
  it("is no credential below /notebooks/, where pages are users' own", async () => {
    expect((await asPage(cookie, { path: "/notebooks/services/session/api/me" })).status).toBe(401);
  });

  it("is no credential of an RPC", async () => {
    const path = "/aiplatform.identity.v1.OrganisationService/GetOrganisation";
    expect((await asPage(cookie, { path, body: {} })).status).toBe(401);
  });

  it("does not make a script of what users have stored or deployed", async () => {
    const headers = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" };
    for (const path of ["/platform/artifacts/x", `/platform/deployments/${crypto.randomUUID()}/v2/models/m`]) {
      expect((await asPage(cookie, { path, headers })).status).toBe(403);
    }
  });

  it("with a token that never was is 401", async () => {
    const forged = `aiplatform-session=ais_${"a".repeat(43)}`;
    expect((await asPage(forged, { path: "/platform/session" })).status).toBe(401);
  });
});
