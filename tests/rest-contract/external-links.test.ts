import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, until } from "../mesh/rest.ts";
import { Browser } from "./browser.ts";

let platform: LocalPlatform["description"];
let whole: LocalPlatform;
sharedPlatform(
  (started) => {
    whole = started;
    platform = started.description;
  },
  { separate: true },
);

const links = "/platform/external-oauth/links";

const start = (secretName: string, query = "") =>
  ask(platform, {
    path: `/external-oauth/socialnet/start${query}`,
    body: { secret_name: secretName, secret_description: "Posts of the shop" },
  });

const linkOf = async (id: string) => (await ask(platform, { path: `${links}/${id}` })).body;

/** Begins a link and walks to the provider's page that asks for consent. */
async function upToConsent(secretName: string, query = "", browser = new Browser()) {
  const { status, body } = await start(secretName, query);
  expect(status).toBe(200);
  await browser.open(body.authorization_url);
  await browser.follow("Continue to socialnet");
  await browser.submit("/login", { account: "robin" });
  return { id: body.link_id, start: body, browser };
}

async function linked(secretName: string, query = "") {
  const walk = await upToConsent(secretName, query);
  const page = await walk.browser.submit("/consent");
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("<h1>Linked</h1>")]);
  return walk;
}

describe("a member who links an account of the social network", () => {
  it("opens a page of the platform, and is sent on with a state, a challenge and a page to come back to", async () => {
    const name = `posts ${randomUUID()}`;
    const { status, body } = await start(name);
    expect([status, body]).toEqual([
      200,
      {
        link_id: expect.any(String),
        provider: "socialnet",
        secret_name: name,
        authorization_url: expect.any(String),
        state: expect.stringMatching(/^[\w-]{43}$/),
        expires_at: expect.any(String),
        status: "pending",
      },
    ]);
    const page = `${platform.gateway}/platform/external-oauth/authorize?state=${body.state}`;
    expect(body.authorization_url).toBe(page);
    const browser = new Browser();
    expect((await browser.open(page)).text).toContain(`<dd>${name}</dd>`);
    await browser.follow("Continue to socialnet");
    const sent = browser.visited.find((url) => url.includes("code_challenge=")) ?? "";
    expect(Object.fromEntries(new URL(sent).searchParams)).toEqual({
      client_id: "aiplatform",
      response_type: "code",
      redirect_uri: `${platform.gateway}/platform/external-oauth/callback`,
      scope: "profile",
      state: body.state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await linkOf(body.link_id)).toMatchObject({ status: "pending", secret_name: name });
  });

  it("signs in, agrees, and reads on our page that it is linked", async () => {
    const { id, browser } = await linked(`posts ${randomUUID()}`);
    const { url, headers } = browser.page;
    expect(url.startsWith(`${platform.gateway}/platform/external-oauth/callback?`)).toBe(true);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(await linkOf(id)).toMatchObject({
      status: "linked",
      scopes: ["profile"],
      linked_at: expect.any(String),
      token_expires_at: expect.any(String),
    });
  });

  it("reads the same after reloading the page, and the link is one", async () => {
    const { browser, id } = await linked(`posts ${randomUUID()}`);
    const before = await linkOf(id);
    const { text } = browser.page;
    expect(await browser.open(browser.page.url)).toMatchObject({ status: 200, text });
    expect(await linkOf(id)).toEqual(before);
  });

  it("comes back several times at once, and reads the same each time", async () => {
    const { callback, id, browser } = await upToCallback(`posts ${randomUUID()}`);
    const pages = await Promise.all([1, 2, 3, 4].map(() => browser.copy().open(callback.href)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await linkOf(id)).toMatchObject({ status: "linked" });
  });

  it("reads that it was declined, and finds the name free", async () => {
    const name = `posts ${randomUUID()}`;
    const { browser, id } = await upToConsent(name);
    const page = await browser.submit("/cancel");
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("You declined at the provider.")]);
    expect(await linkOf(id)).toMatchObject({ status: "failed", error: "access_denied" });
    await linked(name);
  });

  it("is told that a name is linked, unless they want it linked anew", async () => {
    const name = `posts ${randomUUID()}`;
    const { id } = await linked(name);
    expect((await start(name)).status).toBe(409);
    const again = await linked(name, "?relink=true");
    expect(again.id).toBe(id);
    expect(await linkOf(id)).toMatchObject({ status: "linked" });
  });

  it("revokes it, and links the name again as another link", async () => {
    const name = `posts ${randomUUID()}`;
    const { id } = await linked(name);
    const revoked = await ask(platform, { method: "DELETE", path: `${links}/${id}` });
    expect([revoked.status, revoked.body.status]).toEqual([200, "revoked"]);
    expect((await linked(name)).id).not.toBe(id);
  });

  it("does not learn of another organisation's link", async () => {
    const { id } = await linked(`posts ${randomUUID()}`);
    const { status } = await ask(platform, { path: `${links}/${id}`, bearer: platform.foreign.bearer });
    expect(status).toBe(404);
  });
});

/** Walks all the way but the last step, and answers the URL of that. */
async function upToCallback(secretName: string) {
  const stopped = new Browser({ stopBefore: `${platform.gateway}/platform/external-oauth/callback` });
  const walk = await upToConsent(secretName, "", stopped);
  await stopped.submit("/consent");
  return { ...walk, callback: new URL(stopped.visited.at(-1) ?? "") };
}

describe("a callback that is not the member's way back", () => {
  const come = (parameters: Record<string, string>, browser = new Browser()) =>
    browser.open(`${platform.gateway}/platform/external-oauth/callback?${new URLSearchParams(parameters)}`);

  it.each([
    ["without anything", {}],
    ["with a state that was never given out", { code: "x", state: "A".repeat(43) }],
    ["with markup in every parameter", { code: "<b>1", state: "<b>2", iss: "<b>3", error: "<b>4" }],
  ])("%s is refused, and repeats nothing of what it came with", async (_, parameters) => {
    const { status, text } = await come(parameters);
    expect(status).toBe(400);
    expect(text).not.toContain("<b>");
  });

  it("in a browser that has not gone on from the page is refused, and the attempt goes on", async () => {
    const { callback, id, browser } = await upToCallback(`posts ${randomUUID()}`);
    const { status, text } = await new Browser().open(callback.href);
    expect([status, text]).toEqual([400, expect.stringContaining("This browser has not gone on from the page")]);
    expect(await linkOf(id)).toMatchObject({ status: "pending" });
    expect((await browser.copy().open(callback.href)).status).toBe(200);
  });

  it("with a code that was given for another link is refused, and leaves the other as it is", async () => {
    const [theirs, own] = [await upToCallback(`posts ${randomUUID()}`), await upToConsent(`posts ${randomUUID()}`)];
    const parameters = Object.fromEntries(theirs.callback.searchParams);
    expect((await come({ ...parameters, state: own.start.state }, own.browser.copy())).status).toBe(400);
    expect(await linkOf(own.id)).toMatchObject({ status: "failed", error: "code_refused", scopes: [] });
    expect(await linkOf(theirs.id)).toMatchObject({ status: "pending" });
  });

  it("with a state that succeeded and another code is refused, and the link stays", async () => {
    const { browser, id } = await linked(`posts ${randomUUID()}`);
    const parameters = Object.fromEntries(new URL(browser.page.url).searchParams);
    expect((await come({ ...parameters, code: "x" })).status).toBe(400);
    expect(await linkOf(id)).toMatchObject({ status: "linked", error: null });
  });

  it("under another issuer's name is refused, and the attempt is over", async () => {
    const { browser, id, start: begun } = await upToConsent(`posts ${randomUUID()}`);
    const answer = { code: "x", state: begun.state, iss: "https://elsewhere.example" };
    const page = await come(answer, browser.copy());
    expect(page.status).toBe(400);
    expect(await linkOf(id)).toMatchObject({ status: "failed", error: "response_invalid" });
    expect((await browser.submit("/consent")).status).toBe(400);
  });
});

describe("while the social network is away", () => {
  it("a platform that has not met it yet begins no link, and does so when it is back", async () => {
    const name = `posts ${randomUUID()}`;
    await whole.kill("fake-oauth");
    try {
      await whole.restart("identity");
      const back = () => ask(platform, { path: links });
      await until("identity to be reached again", 30, back, ({ status }) => status === 200);
      const { status, body } = await start(name);
      expect([status, body.detail]).toEqual([502, "Temporarily unavailable"]);
      expect((await ask(platform, { path: `${links}?limit=1000` })).text).not.toContain(name);
    } finally {
      await whole.restart("fake-oauth");
    }
    await linked(name);
  });

  it("a link that comes back is not made within ten seconds, and its name is free", async () => {
    const { id, start: begun, browser } = await upToConsent(`posts ${randomUUID()}`);
    const { origin } = new URL(browser.page.url);
    await whole.kill("fake-oauth");
    try {
      const callback = `${platform.gateway}/platform/external-oauth/callback`;
      const parameters = new URLSearchParams({ code: "x", state: begun.state, iss: origin });
      const began = Date.now();
      const page = await browser.open(`${callback}?${parameters}`);
      expect(page.status).toBe(502);
      expect(Date.now() - began).toBeLessThan(10_000);
      expect(await linkOf(id)).toMatchObject({ status: "failed", error: "provider_unavailable" });
    } finally {
      await whole.restart("fake-oauth");
    }
    await linked(begun.secret_name);
  });
});
