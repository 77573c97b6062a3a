import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask } from "../mesh/rest.ts";
import { AccountLinks } from "./account-links.ts";
import { Browser } from "./browser.ts";

let platform: LocalPlatform["description"];
let links: AccountLinks;
sharedPlatform((started) => {
  platform = started.description;
  links = new AccountLinks(platform);
});

describe("a member who links an account of the social network", () => {
  it("opens a page of the platform, and is sent on with a state, a challenge and a page to come back to", async () => {
    const name = `posts ${randomUUID()}`;
    const { status, body } = await links.start(name);
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
    expect(await links.linkOf(body.link_id)).toMatchObject({ status: "pending", secret_name: name });
  });

  it("signs in, agrees, and reads on our page that it is linked", async () => {
    const { id, browser } = await links.linked(`posts ${randomUUID()}`);
    const { url, headers } = browser.page;
    expect(url.startsWith(`${platform.gateway}/platform/external-oauth/callback?`)).toBe(true);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(await links.linkOf(id)).toMatchObject({
      status: "linked",
      scopes: ["profile"],
      linked_at: expect.any(String),
      token_expires_at: expect.any(String),
    });
  });

  it("reads the same after reloading the page, and the link is one", async () => {
    const { browser, id } = await links.linked(`posts ${randomUUID()}`);
    const before = await links.linkOf(id);
    const { text } = browser.page;
    expect(await browser.open(browser.page.url)).toMatchObject({ status: 200, text });
    expect(await links.linkOf(id)).toEqual(before);
  });

  it("comes back several times at once, and reads the same each time", async () => {
    const { callback, id, browser } = await links.upToCallback(`posts ${randomUUID()}`);
    const pages = await Promise.all([1, 2, 3, 4].map(() => browser.copy().open(callback.href)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await links.linkOf(id)).toMatchObject({ status: "linked" });
  });

  it("reads that it was declined, and finds the name free", async () => {
    const name = `posts ${randomUUID()}`;
    const { browser, id } = await links.upToConsent(name);
    const page = await browser.submit("/cancel");
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("You declined at the provider.")]);
    expect(await links.linkOf(id)).toMatchObject({ status: "failed", error: "access_denied" });
    await links.linked(name);
  });

  it("is told that a name is linked, unless they want it linked again", async () => {
    const name = `posts ${randomUUID()}`;
    const { id } = await links.linked(name);
    expect((await links.start(name)).status).toBe(409);
    const again = await links.linked(name, "?relink=true");
    expect(again.id).toBe(id);
    expect(await links.linkOf(id)).toMatchObject({ status: "linked" });
  });

  it("revokes it, and links the name again as another link", async () => {
    const name = `posts ${randomUUID()}`;
    const { id } = await links.linked(name);
    const revoked = await ask(platform, { method: "DELETE", path: `${AccountLinks.path}/${id}` });
    expect([revoked.status, revoked.body.status]).toEqual([200, "revoked"]);
    expect((await links.linked(name)).id).not.toBe(id);
  });

  it("does not learn of another organisation's link", async () => {
    const { id } = await links.linked(`posts ${randomUUID()}`);
    const { status } = await ask(platform, { path: `${AccountLinks.path}/${id}`, bearer: platform.foreign.bearer });
    expect(status).toBe(404);
  });
});

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
    const { callback, id, browser } = await links.upToCallback(`posts ${randomUUID()}`);
    const { status, text } = await new Browser().open(callback.href);
    expect([status, text]).toEqual([400, expect.stringContaining("This browser has not gone on from the page")]);
    expect(await links.linkOf(id)).toMatchObject({ status: "pending" });
    expect((await browser.copy().open(callback.href)).status).toBe(200);
  });

  it("with a code that was given for another link is refused, and leaves the other as it is", async () => {
    const [theirs, own] = [
      await links.upToCallback(`posts ${randomUUID()}`),
      await links.upToConsent(`posts ${randomUUID()}`),
    ];
    const parameters = Object.fromEntries(theirs.callback.searchParams);
    expect((await come({ ...parameters, state: own.start.state }, own.browser.copy())).status).toBe(400);
    expect(await links.linkOf(own.id)).toMatchObject({ status: "failed", error: "code_refused", scopes: [] });
    expect(await links.linkOf(theirs.id)).toMatchObject({ status: "pending" });
  });

  it("with a state that succeeded and another code is refused, and the link stays", async () => {
    const { browser, id } = await links.linked(`posts ${randomUUID()}`);
    const parameters = Object.fromEntries(new URL(browser.page.url).searchParams);
    expect((await come({ ...parameters, code: "x" })).status).toBe(400);
    expect(await links.linkOf(id)).toMatchObject({ status: "linked", error: null });
  });

  it("under another issuer's name is refused, and the attempt is over", async () => {
    const { browser, id, start: begun } = await links.upToConsent(`posts ${randomUUID()}`);
    const answer = { code: "x", state: begun.state, iss: "https://elsewhere.example" };
    const page = await come(answer, browser.copy());
    expect(page.status).toBe(400);
    expect(await links.linkOf(id)).toMatchObject({ status: "failed", error: "response_invalid" });
    expect((await browser.submit("/consent")).status).toBe(400);
  });
});
