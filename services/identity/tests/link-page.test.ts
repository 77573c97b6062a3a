import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { MemberBrowser } from "./member-browser.ts";
import { json, startTokenEndpoint, type TokenEndpoint } from "./token-endpoint.ts";

const issuer = "https://social.example";

let endpoint: TokenEndpoint;
let rig: IdentityRig;
let ada: IdentityClients;
let browser: MemberBrowser;
beforeAll(async () => {
  endpoint = await startTokenEndpoint();
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${endpoint.url}/token` };
  const client = { client_id: "us", client_secret: "a client's secret", allow_http: true };
  const settings = {
    PUBLIC_URL: "https://platform.example",
    SECRETS_KEYS: JSON.stringify([{ id: "first", key: Buffer.alloc(32, 7).toString("base64") }]),
    EXTERNAL_OAUTH_PROVIDERS: JSON.stringify([{ provider: "socialnet", issuer, ...client, ...endpoints }]),
  };
  rig = await startIdentityRig({ settings });
  ada = rig.as({ bearer: await rig.provider.token("ada") });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await endpoint?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  endpoint.answer = json(200, { access_token: "a", token_type: "bearer" });
  browser = new MemberBrowser(rig.as({}));
});

async function start(clients: IdentityClients, secretDescription = "") {
  const secretName = `posts ${randomBytes(6).toString("hex")}`;
  const request = { provider: "socialnet", secretName, secretDescription };
  const { start: begun } = await clients.externalOauth.startExternalLink(request);
  return { secretName, state: begun?.state ?? "", linkId: begun?.linkId ?? "" };
}

describe("the page before the provider's", () => {
  it("says which organisation gets access, who asks for it, and under which name", async () => {
    const { secretName, state } = await start(ada, "Answers to customers");
    const { text, page } = await browser.review(state);
    expect(page.status).toBe(200);
    expect(text).toContain("<dt>Organisation</dt><dd>acme</dd>");
    expect(text).toMatch(/<dt>Asked for by<\/dt><dd>ada \(ada@acme\.test\)<\/dd>/);
    expect(text).toContain(`<dd>${secretName}</dd>`);
    expect(text).toContain("<dd>Answers to customers</dd>");
  });

  it("says which API key asks for it", async () => {
    const { state } = await start(rig.as({ apiKey: rig.acme.apiKeySecret }));
    expect((await browser.review(state)).text).toMatch(/<dt>Asked for by<\/dt><dd>the API key [^<]+<\/dd>/);
  });

  it("shows markup of a member as text", async () => {
    const { state } = await start(ada, '"><script>alert(1)</script>');
    const { text } = await browser.review(state);
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).not.toContain("<script");
  });

  it("has a cookie that other hosts cannot set and scripts cannot read", async () => {
    const { state } = await start(ada);
    const { setCookie } = (await browser.review(state)).page;
    expect(setCookie).toMatch(/^__Host-link-[\w-]{16}=[\w-]{43}; /);
    for (const rule of ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=900"])
      expect(setCookie).toContain(rule);
  });

  it.each(["", "A".repeat(43)])("of a state that was not given out says so: %j", async (state) => {
    const { page, text } = await browser.review(state);
    expect([page.status, page.setCookie, text]).toEqual([
      400,
      "",
      expect.stringContaining("no link that is under way"),
    ]);
  });
});

describe("a browser that goes on from the page", () => {
  it("is sent to the provider", async () => {
    const { state } = await start(ada);
    const { confirmation } = await browser.review(state);
    const { status, location } = await browser.goOn(state, confirmation);
    expect([status, new URL(location).origin, new URL(location).searchParams.get("state")]).toEqual([
      303,
      issuer,
      state,
    ]);
  });

  it.each<[string, (confirmation: string) => Promise<{ confirmation: string; by: MemberBrowser }>]>([
    ["it has not shown", async (confirmation) => ({ confirmation, by: new MemberBrowser(rig.as({})) })],
    ["whose confirmation it does not know", async () => ({ confirmation: "", by: browser })],
    ["whose confirmation is guessed", async () => ({ confirmation: "A".repeat(43), by: browser })],
  ])("is not sent there from a page %s", async (_, made) => {
    const { state } = await start(ada);
    const { confirmation, by } = await made((await browser.review(state)).confirmation);
    expect(await by.goOn(state, confirmation)).toMatchObject({ status: 400, location: "", setCookie: "" });
  });
});

describe("a member whose browser an attacker sends straight to the provider, with the attacker's attempt", () => {
  it("does not link an account to the attacker's organisation, and the attempt stays as it was", async () => {
    const { state, linkId } = await start(ada);
    await browser.toProvider(state);
    endpoint.asked.length = 0;
    const victim = new MemberBrowser(rig.as({}));
    expect(await victim.comeBack({ code: "of the victim", state })).toMatchObject({
      status: 400,
      text: expect.stringContaining("This browser has not gone on from the page that says what is linked"),
    });
    expect(endpoint.asked).toEqual([]);
    expect((await ada.externalOauth.getExternalLink({ linkId })).link?.scopes).toEqual([]);
    expect((await browser.comeBack({ code: "own", state })).status).toBe(200);
  });

  it("does not link it either when the page was shown, but nothing was clicked", async () => {
    const { state } = await start(ada);
    await browser.review(state);
    expect((await browser.comeBack({ code: "c", state })).status).toBe(400);
  });
});
