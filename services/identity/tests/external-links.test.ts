import { randomBytes, randomUUID } from "node:crypto";
import { ExternalLinkStatus } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { MemberBrowser } from "./member-browser.ts";
import { json, startTokenEndpoint, type TokenEndpoint } from "./token-endpoint.ts";

const issuer = "https://social.example";

let endpoint: TokenEndpoint;
let rig: IdentityRig;
let store: DocumentStore;
let ada: IdentityClients;
let secretName: string;

beforeAll(async () => {
  endpoint = await startTokenEndpoint();
  endpoint.answer = json(200, { access_token: "access", token_type: "bearer" });
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${endpoint.url}/token` };
  const client = { client_id: "us", client_secret: "secret-of-the-client", allow_http: true };
  rig = await startIdentityRig({
    settings: {
      PUBLIC_URL: "https://platform.example",
      SECRETS_KEYS: JSON.stringify([{ id: "first", key: Buffer.alloc(32, 7).toString("base64") }]),
      EXTERNAL_OAUTH_PROVIDERS: JSON.stringify([{ provider: "socialnet", issuer, ...client, ...endpoints }]),
    },
  });
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  ada = rig.as({ bearer: await rig.provider.token("ada") });
});

afterAll(async () => {
  await store?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
  await endpoint?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  secretName = randomBytes(6).toString("hex");
});

/** Begins to link under the test's name. */
async function begin(idempotencyKey = "") {
  const { start } = await ada.externalOauth.startSocialnetLink({ secretName, idempotencyKey });
  if (!start) throw new Error("nothing was begun");
  return start;
}

/** Links of the test's name, by status. */
async function statuses(): Promise<unknown[]> {
  const found = await store.database.collection("external_links").find({ secret_name: secretName }).toArray();
  return found.map(({ status }) => status).toSorted();
}

describe("beginning a link with an idempotency key", () => {
  it("is answered alike again, state included, and the answer rests nowhere in clear", async () => {
    const key = randomUUID();
    const first = await begin(key);
    expect(await begin(key)).toEqual(first);
    expect(await statuses()).toEqual(["pending"]);
    const [kept] = await store.database.collection("replays").find({}).toArray();
    expect(kept).toBeDefined();
    for (const { collectionName } of await store.database.collections()) {
      // As bytes: what was written as bytes would not be recognised in JSON.
      const documents = await store.database.collection(collectionName).find({}, { raw: true }).toArray();
      const text = documents.map((document) => Buffer.from(Object(document)).toString("latin1")).join();
      expect(text.includes(first.state)).toBe(false);
    }
  });

  it("is refused for another request", async () => {
    const key = randomUUID();
    await begin(key);
    secretName = `${secretName}-other`;
    expect((await failureOf(begin(key))).reason).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

describe("one name, wanted by several at once", () => {
  it("is pending once, and every other attempt has expired", async () => {
    await Promise.all(Array.from({ length: 8 }, () => begin()));
    expect(await statuses()).toEqual([...Array.from({ length: 7 }, () => "expired"), "pending"]);
  });
});

describe("a link that several revoke at once", () => {
  it("is revoked once, and each of them is told so", async () => {
    const { linkId, state } = await begin();
    const browser = new MemberBrowser(rig.as({}));
    await browser.toProvider(state);
    await browser.comeBack({ code: "code", state });
    const revoking = Array.from({ length: 5 }, () => ada.externalOauth.revokeExternalLink({ linkId }));
    const answers = await Promise.all(revoking);
    expect(new Set(answers.map(({ link }) => link?.status))).toEqual(new Set([ExternalLinkStatus.REVOKED]));
    expect(new Set(answers.map(({ link }) => link?.revokedAt?.nanos)).size).toBe(1);
  });
});

describe("looking for the link of a state, which any caller may ask for", () => {
  it.each(["attempt.state_hash", "finished.state_hash"])("reads no link but that of %s", async (field) => {
    await begin();
    const links = store.database.collection("external_links");
    const { executionStats } = await links.find({ [field]: "unknown" }).explain("executionStats");
    expect(executionStats.totalDocsExamined).toBe(0);
  });
});
