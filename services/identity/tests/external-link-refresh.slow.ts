import { randomBytes } from "node:crypto";
import { ExternalLinkStatus as Status } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import type { RunningService } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startIdentityService } from "../src/identity-service.ts";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { MemberBrowser } from "./member-browser.ts";
import { type Answering, json, startTokenEndpoint, type TokenEndpoint } from "./token-endpoint.ts";

const issuer = "https://social.example";

let endpoint: TokenEndpoint;
let rig: IdentityRig;
let second: RunningService;
let store: DocumentStore;
let ada: IdentityClients;

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
  // Both look for tokens to refresh.
  second = await startIdentityService(rig.config);
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  ada = rig.as({ bearer: await rig.provider.token("ada") });
});

afterAll(async () => {
  await store?.close();
  await second?.stop();
  await rig?.[Symbol.asyncDispose]();
  await endpoint?.[Symbol.asyncDispose]();
});

const tokens = (more: object) => ({ access_token: randomBytes(8).toString("hex"), token_type: "bearer", ...more });

/** Links an account whose token lives so long, and has the provider answer like this from then on. */
async function linkedFor(seconds: number, refreshToken: string | undefined, then: Answering): Promise<string> {
  const secretName = randomBytes(6).toString("hex");
  const { start } = await ada.externalOauth.startExternalLink({ provider: "socialnet", secretName });
  const given = refreshToken === undefined ? {} : { refresh_token: refreshToken };
  // The refresh may be asked for as soon as the link is there.
  endpoint.answer = (request, response) => {
    endpoint.answer = then;
    json(200, tokens({ ...given, expires_in: seconds }))(request, response);
  };
  endpoint.asked.length = 0;
  const browser = new MemberBrowser(rig.as({}));
  const state = start?.state ?? "";
  await browser.toProvider(state);
  expect((await browser.comeBack({ code: "c", state })).status).toBe(200);
  return start?.linkId ?? "";
}

async function linkOf(linkId: string) {
  const { link } = await ada.externalOauth.getExternalLink({ linkId });
  return link ?? Promise.reject(new Error("there is no link"));
}

const becomes = (linkId: string, status: Status) =>
  eventually(async () => (await linkOf(linkId)).status === status, `the link to be ${Status[status]}`);

/** The refresh tokens that the provider was shown, oldest first. */
const shown = () =>
  endpoint.asked.flatMap((body) => {
    const sent = new URLSearchParams(body);
    return sent.get("grant_type") === "refresh_token" ? [sent.get("refresh_token")] : [];
  });

const kept = (linkId: string) => store.database.collection<{ _id: string }>("external_links").findOne({ _id: linkId });

describe("a linked account stayed linked over a token that had expired", () => {
  it("has its tokens refreshed before they end, each refresh token used once by all replicas", async () => {
    let refreshes = 0;
    const rotating: Answering = (request, response) => {
      refreshes += 1;
      const life = refreshes < 3 ? 2 : 3_600;
      json(200, tokens({ refresh_token: `refresh-${refreshes}`, expires_in: life }))(request, response);
    };
    const linkId = await linkedFor(2, "refresh-0", rotating);
    const inAnHour = Date.now() + 3_000_000;
    const isRefreshed = async () => Number((await linkOf(linkId)).tokenExpiresAt?.seconds ?? 0) * 1_000 > inAnHour;
    await eventually(isRefreshed, "the third refresh");
    expect(shown()).toEqual(["refresh-0", "refresh-1", "refresh-2"]);
    expect(await linkOf(linkId)).toMatchObject({ status: Status.LINKED });
  });

  it("keeps the refresh token of a provider that gives no other", async () => {
    let refreshes = 0;
    const linkId = await linkedFor(2, "the-only-one", (request, response) => {
      refreshes += 1;
      json(200, tokens({ expires_in: refreshes < 2 ? 2 : 3_600 }))(request, response);
    });
    await eventually(async () => shown().length === 2, "the second refresh");
    expect(shown()).toEqual(["the-only-one", "the-only-one"]);
    expect((await linkOf(linkId)).status).toBe(Status.LINKED);
  });

  it("is expired with the reason when the provider refuses, and its tokens are erased", async () => {
    const linkId = await linkedFor(2, "taken-back", json(400, { error: "invalid_grant" }));
    await becomes(linkId, Status.EXPIRED);
    expect((await linkOf(linkId)).error).toBe("refresh_refused");
    expect(Object.keys((await kept(linkId)) ?? {})).not.toContain("tokens");
    const told = await store.database.collection("outbox").findOne({ entity_id: linkId }, { sort: { staged_at: -1 } });
    expect(told?.["data_schema"]).toBe("aiplatform.events.v1.ExternalLinkExpired");
  });

  it("is expired at the token's end when there is no refresh token", async () => {
    const linkId = await linkedFor(2, undefined, json(500, {}));
    await eventually(async () => (await linkOf(linkId)).error === "token_expired", "the token to be erased");
    expect((await linkOf(linkId)).status).toBe(Status.EXPIRED);
    expect(shown()).toEqual([]);
  });

  it("is expired while the provider does not answer, and linked again when it does", async () => {
    const linkId = await linkedFor(2, "kept", json(503, {}));
    await becomes(linkId, Status.EXPIRED);
    await eventually(async () => (await linkOf(linkId)).error === "provider_unavailable", "the reason to be known");
    endpoint.answer = json(200, tokens({ expires_in: 3_600 }));
    await becomes(linkId, Status.LINKED);
    expect((await linkOf(linkId)).error).toBeUndefined();
  });
});
