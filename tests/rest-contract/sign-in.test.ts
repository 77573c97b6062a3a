import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { Browser } from "./browser.ts";

let platform: LocalPlatform["description"];
let issuer: string;
sharedPlatform(({ description, settings }) => {
  platform = description;
  [{ issuer }] = JSON.parse(settings["identity"]?.["OIDC_ISSUERS"] ?? "[{}]");
});

let browser: Browser;
let start: string;
beforeAll(() => {
  start = `${platform.gateway}/platform/sign-in/local/start`;
});
beforeEach(() => {
  browser = new Browser();
});

/** The session of the browser's cookie; its status is 401 where there is none. */
const session = async ({ gateway } = platform) => {
  const headers = { cookie: browser.cookieOf(new URL(gateway).origin) };
  return await ask(platform, { path: "/platform/session", bearer: null, headers });
};

/** Signs in at the provider's own page. */
async function signIn(account: string, query = "") {
  await browser.open(start + query);
  return await browser.submit("/login", { account });
}

const newMember = (organisation: { bearer: string }, member: Json): Promise<Json> =>
  ask(platform, { path: "/platform/members", body: { member, role_ids: [] }, bearer: organisation.bearer });

describe("a person who signs in with the identity provider", () => {
  it("finds it among the providers, without a credential", async () => {
    const { status, body } = await ask(platform, { path: "/platform/sign-in/providers", bearer: null });
    expect([status, body]).toEqual([200, [{ id: "local", name: "the local identity provider" }]]);
  });

  it("comes back to the page that was asked for, in a session of the member", async () => {
    const { url } = await signIn("demo-administrator", "?to=%2Fruns%3Ffilter%3Dx");
    expect(url).toBe(`${platform.gateway}/console/runs?filter=x`);
    const { status, body } = await session();
    expect([status, body]).toMatchObject([
      200,
      { method: "identity_provider", name: "Demo administrator", organisation: { slug: "demo" } },
    ]);
  });

  it("leaves neither code nor state in an address that is kept", async () => {
    await signIn("demo-administrator");
    const callback = browser.visited.find((url) => url.includes("/callback?")) ?? "";
    const answer = await fetch(callback, { redirect: "manual" });
    expect([answer.status, answer.headers.get("referrer-policy"), answer.headers.get("cache-control")]).toEqual([
      303,
      "no-referrer",
      "no-store",
    ]);
    expect(answer.headers.get("location")).not.toMatch(/code=|state=/);
  });

  it("takes up an invitation to their address", async () => {
    const email = `${randomUUID()}@people.example`;
    await newMember(platform, { display_name: "Invited", email });
    await signIn(email);
    expect((await session()).body).toMatchObject({ name: "Invited", member: { email } });
  });

  it("of two organisations can switch between them", async () => {
    const subject = randomUUID();
    const member = { display_name: "Of both", email: `${subject}@people.example`, issuer, subject };
    for (const organisation of [platform, platform.foreign]) await newMember(organisation, member);
    await signIn(subject);
    const { organisation, organisations } = (await session()).body;
    expect(organisations.map(({ slug }: Json) => slug)).toEqual(["demo", "foreign"]);
    const other = organisations.find(({ id }: Json) => id !== organisation.id);
    const headers = { cookie: browser.cookieOf(new URL(platform.gateway).origin), origin: platform.gateway };
    const body = { organisation_id: other.id };
    const switched = await ask(platform, { path: "/platform/sessions", body, bearer: null, headers });
    expect([switched.status, switched.body.organisation.id]).toEqual([201, other.id]);
  });

  it("who is no member is told so on the console's sign-in page, and gets no session", async () => {
    const { url } = await signIn("stranger", "?to=/models");
    const { pathname, searchParams } = new URL(url);
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      "/console/sign-in",
      { problem: "organisation_undecided", provider: "local", to: "/models" },
    ]);
    expect((await session()).status).toBe(401);
  });

  it("who declines is told so", async () => {
    await browser.open(start);
    const { url } = await browser.submit("/cancel");
    expect(new URL(url).searchParams.get("problem")).toBe("access_denied");
  });

  it("loses the session when they are deactivated, and cannot sign in again", async () => {
    const subject = randomUUID();
    const member = { display_name: "Soon gone", email: `${subject}@people.example`, issuer, subject };
    const { id } = (await newMember(platform, member)).body;
    await signIn(subject);
    expect((await session()).status).toBe(200);
    await ask(platform, { method: "POST", path: `/platform/members/${id}/deactivate` });
    await expect.poll(async () => (await session()).status).toBe(401);
    browser = new Browser();
    expect(new URL((await signIn(subject)).url).searchParams.get("problem")).toBe("member_inactive");
  });
});

describe("a way back that is not the browser's own", () => {
  it("in another browser opens nothing", async () => {
    browser = new Browser({ stopBefore: `${platform.gateway}/platform/sign-in/local/callback` });
    await signIn("demo-administrator");
    const callback = browser.visited.at(-1) ?? "";
    const [own, copied] = [browser.copy(), browser.copy()];
    browser = new Browser();
    expect(new URL((await browser.open(callback)).url).searchParams.get("problem")).toBe("sign_in_unknown");
    expect((await session()).status).toBe(401);
    expect((await own.open(callback)).url).toBe(`${platform.gateway}/console/`);
    // The browser has given the cookie of the sign-in up; one that kept it finds it used.
    expect(new URL((await own.open(callback)).url).searchParams.get("problem")).toBe("sign_in_unknown");
    expect(new URL((await copied.open(callback)).url).searchParams.get("problem")).toBe("sign_in_used");
  });
});

describe("the page to show afterwards", () => {
  it.each(["https://evil.example/", "//evil.example/", "/\\evil.example/"])("is never another site: %s", async (to) => {
    const path = `/platform/sign-in/local/start?${new URLSearchParams({ to })}`;
    const { status, body } = await ask(platform, { path, bearer: null });
    expect([status, body.detail[0].type]).toEqual([422, "return_path_invalid"]);
  });
});
