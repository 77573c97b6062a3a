import { randomBytes } from "node:crypto";
import { ExternalLinkStatus } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { connectDocumentStore } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { type IdentityClients, type IdentityRig, identityEnvironment, startIdentityRig } from "./identity-rig.ts";
import { MemberBrowser, type ProviderAnswer } from "./member-browser.ts";
import { type Answering, json, startTokenEndpoint, type TokenEndpoint } from "./token-endpoint.ts";

const issuer = "https://social.example";
const clientSecret = `client-secret-${randomBytes(8).toString("hex")}`;
const accessToken = `access-${randomBytes(8).toString("hex")}`;
const refreshToken = `refresh-${randomBytes(8).toString("hex")}`;
const granted = { access_token: accessToken, refresh_token: refreshToken, token_type: "bearer" };

let endpoint: TokenEndpoint;
let rig: IdentityRig;
let ada: IdentityClients;
let hank: IdentityClients;
let browser: MemberBrowser;

function settingsFor(url: string) {
  const client = { client_id: "us", client_secret: clientSecret, allow_http: true };
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${url}/token` };
  return {
    PUBLIC_URL: "https://platform.example",
    SECRETS_KEYS: JSON.stringify([{ id: "first", key: Buffer.alloc(32, 7).toString("base64") }]),
    EXTERNAL_OAUTH_PROVIDERS: JSON.stringify([
      { provider: "socialnet", issuer, ...client, ...endpoints },
      { provider: "discovered", issuer: url, ...client },
      { provider: "inward", issuer, ...client, ...endpoints, token_endpoint: "http://169.254.169.254/token" },
    ]),
  };
}

beforeAll(async () => {
  endpoint = await startTokenEndpoint();
  rig = await startIdentityRig({ settings: settingsFor(endpoint.url) });
  const { provider } = rig;
  ada = rig.as({ bearer: await provider.token("ada") });
  hank = rig.as({ bearer: await provider.token("hank") });
});

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await endpoint?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  browser = new MemberBrowser(rig.as({}));
  endpoint.answer = json(200, granted);
  endpoint.asked.length = 0;
});

/** Begins to link, and goes on to the provider in the member's browser. */
async function begin({ provider = "socialnet", secretName = randomBytes(6).toString("hex"), relink = false } = {}) {
  const { start } = await ada.externalOauth.startExternalLink({ provider, secretName, relink });
  if (!start) throw new Error("nothing was begun");
  return { ...start, providerUrl: await browser.toProvider(start.state) };
}

const comeBack = (answer: ProviderAnswer) => browser.comeBack(answer);

const statusOf = async (linkId: string) => (await ada.externalOauth.getExternalLink({ linkId })).link?.status;

describe("a member who comes back from the provider", () => {
  it("is linked, with the verifier that the challenge was made of", async () => {
    const { authorizationUrl, state, linkId, secretName, providerUrl: asked } = await begin();
    expect(authorizationUrl).toBe(`https://platform.example/platform/external-oauth/authorize?state=${state}`);
    expect(asked.href).toMatch(/^https:\/\/social\.example\/authorize\?/);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: "us",
      response_type: "code",
      redirect_uri: "https://platform.example/platform/external-oauth/callback",
      state,
      code_challenge_method: "S256",
    });
    expect(Buffer.from(state, "base64url")).toHaveLength(32);
    expect(await comeBack({ code: "c", state })).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    const sent = new URLSearchParams(endpoint.asked[0]);
    expect(sent.get("redirect_uri")).toBe(asked.searchParams.get("redirect_uri"));
    const verifier = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(sent.get("code_verifier") ?? "")));
    expect(verifier.toString("base64url")).toBe(asked.searchParams.get("code_challenge"));
    const { link } = await ada.externalOauth.getExternalLink({ linkId });
    expect(link).toMatchObject({ status: ExternalLinkStatus.LINKED, secretName, provider: "socialnet" });
    expect(link?.tokenExpiresAt).toBeUndefined();
  });

  it("sees the same again when the browser comes twice, and the code is exchanged once", async () => {
    const { state } = await begin();
    const twins = await Promise.all(Array.from({ length: 10 }, () => comeBack({ code: "c", state })));
    expect(twins.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await comeBack({ code: "c", state })).status).toBe(200);
    expect(endpoint.asked).toHaveLength(1);
  });
});

describe("a token that is said to last for ever", () => {
  it("is linked, without a time at which it ends", async () => {
    endpoint.answer = json(200, { ...granted, expires_in: 3e11 });
    const { state, linkId } = await begin();
    expect((await comeBack({ code: "c", state })).status).toBe(200);
    const { link } = await ada.externalOauth.getExternalLink({ linkId });
    expect(link).toMatchObject({ status: ExternalLinkStatus.LINKED });
    expect(link?.tokenExpiresAt).toBeUndefined();
  });
});

describe("a caller who tries to link what is not theirs", () => {
  it.each<[string, (state: string) => ProviderAnswer]>([
    ["with no state", () => ({ code: "c" })],
    ["with a state of their own", () => ({ code: "c", state: randomBytes(32).toString("base64url") })],
    ["with a state that is longer", (state) => ({ code: "c", state: `${state}A` })],
    ["under another issuer's name", (state) => ({ code: "c", state, iss: "https://other.example" })],
    ["with an error of the provider", (state) => ({ state, error: "server_error" })],
    ["after declining", (state) => ({ state, error: "access_denied" })],
    ["with neither code nor error", (state) => ({ state })],
    [
      "with markup in everything",
      () => {
        const markup = '"><script>alert(1)</script>';
        return { code: markup, state: markup, iss: markup, error: markup };
      },
    ],
  ])("gets a page that says no, and nothing is asked: %s", async (_how, parameters) => {
    const { state } = await begin();
    const { status, text } = await comeBack(parameters(state));
    expect(status).toBe(400);
    expect(text).not.toMatch(/<script|alert\(1\)|server_error/);
    expect(endpoint.asked).toEqual([]);
  });

  it("cannot use a state twice with another code", async () => {
    const { state, linkId } = await begin();
    await comeBack({ code: "c", state });
    expect((await comeBack({ code: "another", state })).status).toBe(400);
    expect(endpoint.asked).toHaveLength(1);
    expect(await statusOf(linkId)).toBe(ExternalLinkStatus.LINKED);
  });

  it("cannot use the state of an attempt that a newer one has overtaken", async () => {
    const { state, secretName, linkId } = await begin();
    const newer = await begin({ secretName });
    expect((await comeBack({ code: "c", state })).status).toBe(400);
    expect(await statusOf(linkId)).toBe(ExternalLinkStatus.EXPIRED);
    expect((await comeBack({ code: "c", state: newer.state })).status).toBe(200);
  });

  it("does not see another organisation's links, nor their names", async () => {
    const { linkId, secretName, state } = await begin();
    await comeBack({ code: "c", state });
    expect((await failureOf(hank.externalOauth.getExternalLink({ linkId }))).code).toBe(Code.NotFound);
    expect((await failureOf(hank.externalOauth.revokeExternalLink({ linkId }))).code).toBe(Code.NotFound);
    const own = await hank.externalOauth.startExternalLink({ provider: "socialnet", secretName });
    expect(own.start?.linkId).not.toBe(linkId);
  });
});

const redirected: Answering = (_request, response) =>
  response.writeHead(302, { location: "http://169.254.169.254/" }).end();
const huge: Answering = (_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(`{"access_token":"${"x".repeat(3_000_000)}"}`);
const garbage: Answering = (_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{");
const page: Answering = (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>hi");

describe("a provider that fails", () => {
  it.each<[string, Answering, number]>([
    ["refuses the code", json(400, { error: "invalid_grant" }), 400],
    ["knows us no more", json(401, { error: "invalid_client" }), 502],
    ["refuses without a reason", json(403, {}), 502],
    ["fails", json(500, { error: "server_error" }), 502],
    ["answers with garbage", garbage, 502],
    ["answers with a page", page, 502],
    ["answers without a token", json(200, { token_type: "bearer" }), 502],
    ["sends us elsewhere", redirected, 502],
    ["does not stop talking", huge, 502],
    ["says nothing", () => undefined, 504],
  ])("and %s leaves the name free within ten seconds", async (_how, answer, status) => {
    const { state, secretName, linkId } = await begin();
    endpoint.answer = answer;
    const startedAt = performance.now();
    expect((await comeBack({ code: "c", state })).status).toBe(status);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await statusOf(linkId)).toBe(ExternalLinkStatus.FAILED);
    expect((await comeBack({ code: "c", state })).status).toBe(400);
    endpoint.answer = json(200, granted);
    const again = await begin({ secretName });
    expect((await comeBack({ code: "c", state: again.state })).status).toBe(200);
  });

  it("keeps the old tokens when linking again fails", async () => {
    const { state, secretName, linkId } = await begin();
    await comeBack({ code: "c", state });
    const taken = await failureOf(ada.externalOauth.startExternalLink({ provider: "socialnet", secretName }));
    expect(taken).toMatchObject({ code: Code.AlreadyExists, reason: "SECRET_NAME_LINKED" });
    const again = await begin({ secretName, relink: true });
    expect(again.linkId).toBe(linkId);
    endpoint.answer = json(400, { error: "invalid_grant" });
    expect((await comeBack({ code: "d", state: again.state })).status).toBe(400);
    const { link } = await ada.externalOauth.getExternalLink({ linkId });
    expect(link).toMatchObject({ status: ExternalLinkStatus.LINKED, error: "code_refused" });
  });

  it.each<[string, Answering, Code, string]>([
    ["is away", json(500, {}), Code.Unavailable, "PROVIDER_UNAVAILABLE"],
    ["says nothing", () => undefined, Code.DeadlineExceeded, "PROVIDER_TIMEOUT"],
  ])("and %s at the start says so, and nothing is begun", async (_how, answer, code, reason) => {
    endpoint.answer = answer;
    const failure = await failureOf(begin({ provider: "discovered", secretName: "never" }));
    expect(failure).toMatchObject({ code, reason });
    const { links } = await ada.externalOauth.listExternalLinks({ limit: 1_000 });
    expect(links.map(({ secretName }) => secretName)).not.toContain("never");
  });

  it("is not asked where no request of ours may go", async () => {
    const { state } = await begin({ provider: "inward" });
    expect((await comeBack({ code: "c", state })).status).toBe(502);
  });

  it("is not found when the operator has not set it up", async () => {
    const failure = await failureOf(begin({ provider: "unknown" }));
    expect(failure.code).toBe(Code.NotFound);
  });
});

describe("what is kept of a link", () => {
  it("opens nothing for who copies the database", async () => {
    const { state, linkId } = await begin();
    await comeBack({ code: "the-code-of-this-link", state });
    const verifier = new URLSearchParams(endpoint.asked[0]).get("code_verifier") ?? "";
    const pending = await begin();
    const dump = await everythingKept();
    expect(dump).toContain(linkId);
    for (const secret of [accessToken, refreshToken, clientSecret, verifier, state, pending.state]) {
      expect(dump.includes(secret)).toBe(false);
      expect(dump.includes(Buffer.from(secret).toString("base64").replace(/=+$/, ""))).toBe(false);
    }
    expect(dump).not.toContain("the-code-of-this-link");
  });

  it("is gone once it is revoked, and stays listed", async () => {
    const { state, linkId } = await begin();
    await comeBack({ code: "c", state });
    const first = await ada.externalOauth.revokeExternalLink({ linkId });
    const again = await ada.externalOauth.revokeExternalLink({ linkId });
    expect(again.link).toEqual(first.link);
    expect(first.link?.status).toBe(ExternalLinkStatus.REVOKED);
    expect((await comeBack({ code: "c", state })).status).toBe(400);
    const kept = JSON.parse(await everythingKept("external_links")).find(({ _id }: { _id: string }) => _id === linkId);
    expect(Object.keys(kept)).not.toContain("tokens");
  });

  it("cannot be opened with another key: the service does not start", async () => {
    const other = JSON.stringify([{ id: "first", key: Buffer.alloc(32, 8).toString("base64") }]);
    await begin();
    const { MONGODB_DATABASE, NATS_STREAM } = rig.config;
    const environment = { ...identityEnvironment([]), ...settingsFor(endpoint.url), MONGODB_DATABASE, NATS_STREAM };
    const start = startIdentityService(readConfig({ ...environment, SECRETS_KEYS: other }));
    await expect(start).rejects.toThrow("SECRETS_KEYS has another key first than the one in use");
  });
});

/** What the database holds, or one collection of it, as text. */
async function everythingKept(only?: string): Promise<string> {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
  await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  const names = only ? [only] : (await store.database.collections()).map(({ collectionName }) => collectionName);
  const documents = await Promise.all(names.map((name) => store.database.collection(name).find().toArray()));
  return JSON.stringify(documents.flat(), (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
  );
}
