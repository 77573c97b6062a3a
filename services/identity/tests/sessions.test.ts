import { randomUUID } from "node:crypto";
import { delegationCredential, SessionCookie } from "@aiplatform/caller-identity";
import { type CurrentSession, SessionMethod } from "@aiplatform/contract/aiplatform/identity/v1/sessions";
import { connectDocumentStore } from "@aiplatform/document-store";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  delegationSecret,
  type IdentityClients,
  type IdentityRig,
  operatorKey,
  startIdentityRig,
} from "./identity-rig.ts";

const publicUrl = "http://127.0.0.1:8080";
const cookie = SessionCookie.at(publicUrl);
let rig: IdentityRig;
let ada: string;
let administrator: IdentityClients;
beforeAll(async () => {
  rig = await startIdentityRig({ settings: { PUBLIC_URL: publicUrl } });
  ada = await rig.provider.token("ada");
  administrator = rig.as({ bearer: ada });
});
afterAll(async () => await rig[Symbol.asyncDispose]());

/** A browser that shows a credential once, and has a session from then on. */
async function signedIn(bearer: string, wish: { organisationId?: string; userAgent?: string } = {}) {
  let setCookie = "";
  const onHeader = (header: Headers) => {
    setCookie = header.get("set-cookie") ?? "";
  };
  const { session } = await rig.as({ bearer }).sessions.createSession(wish, { onHeader });
  const [pair = ""] = setCookie.split(";");
  const token = cookie?.tokenIn(pair) ?? "";
  return {
    session: session as CurrentSession,
    id: session?.id ?? "",
    setCookie,
    token,
    clients: rig.as({ bearer: token }),
  };
}

async function newKey(...permissionIds: string[]) {
  const { apiKey, secret } = await administrator.apiKeys.createApiKey({ name: "pasted", permissionIds });
  return { id: apiKey?.id ?? "", secret };
}

async function newMember(organisation: IdentityClients, subject: string, roleIds: string[] = []) {
  const fields = { displayName: subject, email: `${randomUUID()}@acme.test`, issuer: rig.provider.issuer, subject };
  const { member } = await organisation.members.createMember({ member: fields, roleIds });
  return member?.id ?? "";
}

async function newSignInCode(bearer: string): Promise<string> {
  return (await rig.as({ bearer }).sessions.createSignInCode({})).code;
}

const refusalOf = (bearer: string) => failureOf(administrator.credentials.exchangeCredential({ bearer }));
const opened = async (bearer: string) => (await administrator.credentials.exchangeCredential({ bearer })).caller;

describe("a session that an access token opens", () => {
  it("acts as its member, with a credential of its own", async () => {
    const { id, token, session } = await signedIn(ada);
    const caller = await opened(token);
    expect(caller).toMatchObject({
      organisationId: rig.acme.organisation?.id,
      memberId: rig.acme.administrator?.id,
      credentialId: `session:${id}`,
      sessionId: id,
    });
    expect(session).toMatchObject({
      name: "ada",
      method: SessionMethod.ACCESS_TOKEN,
      permissionIds: caller?.permissions,
    });
  });

  it("has a cookie that no script reads and no other site sends", async () => {
    const { setCookie } = await signedIn(ada);
    expect(setCookie).toMatch(/^aiplatform-session=ais_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it("may do at once what its member may do", async () => {
    const { roles } = await administrator.roles.listRoles({});
    const viewer = roles.find(({ slug }) => slug === "viewer")?.id ?? "";
    const memberId = await newMember(administrator, "grace");
    const { clients } = await signedIn(await rig.provider.token("grace"));
    expect((await clients.sessions.getSession({})).session?.permissionIds).toEqual([]);
    await administrator.members.setMemberRoles({ memberId, roleIds: [viewer] });
    expect((await clients.sessions.getSession({})).session?.permissionIds).toContain("metrics:read");
  });

  it("ends with its member, and does not come back with them", async () => {
    const memberId = await newMember(administrator, "mallory");
    const { token } = await signedIn(await rig.provider.token("mallory"));
    await administrator.members.deactivateMember({ memberId });
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_UNKNOWN" });
    await administrator.members.reactivateMember({ memberId });
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_UNKNOWN" });
  });
});

describe("a session that an API key opens", () => {
  it("acts as the key, and shows its name", async () => {
    const key = await newKey("metrics:read");
    const { token, session, id } = await signedIn(key.secret);
    expect(await opened(token)).toMatchObject({ permissions: ["metrics:read"], credentialId: key.id, sessionId: id });
    expect((await opened(token))?.memberId).toBeUndefined();
    expect(session).toMatchObject({ name: "pasted", apiKey: { id: key.id, lastFour: key.secret.slice(-4) } });
  });

  it("ends with the key", async () => {
    const key = await newKey("metrics:read");
    const { token } = await signedIn(key.secret);
    await administrator.apiKeys.revokeApiKey({ apiKeyId: key.id });
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_UNKNOWN" });
  });

  it("opens no other session, so that it ends in time", async () => {
    const { token } = await signedIn((await newKey("metrics:read")).secret);
    expect(await failureOf(signedIn(token))).toMatchObject({ reason: "CREDENTIAL_OPENS_NO_SESSION" });
  });
});

describe("a credential that opens no session", () => {
  it("is the operator's key", async () => {
    expect(await failureOf(signedIn(operatorKey))).toMatchObject({ reason: "CREDENTIAL_OPENS_NO_SESSION" });
  });

  it("is a delegation", async () => {
    const delegationId = randomUUID();
    await administrator.delegations.createDelegation({
      delegationId,
      purpose: "test",
      permissionIds: ["metrics:read"],
    });
    const organisationId = rig.acme.organisation?.id ?? "";
    const bearer = delegationCredential(delegationSecret, { organisationId, delegationId });
    expect(await failureOf(signedIn(bearer))).toMatchObject({ reason: "CREDENTIAL_OPENS_NO_SESSION" });
  });

  it("is a token with a key beside it that may do less", async () => {
    const { secret: apiKey } = await newKey("metrics:read");
    const both = rig.as({ bearer: ada, apiKey });
    expect(await failureOf(both.sessions.createSession({}))).toMatchObject({ reason: "CREDENTIAL_OPENS_NO_SESSION" });
  });
});

describe("a one-time sign-in code", () => {
  it("opens one session for the one who made it", async () => {
    const code = await newSignInCode(ada);
    const { session } = await signedIn(code);
    expect(session).toMatchObject({ method: SessionMethod.SIGN_IN_CODE, member: { id: rig.acme.administrator?.id } });
    expect(await failureOf(signedIn(code))).toMatchObject({ code: Code.Unauthenticated });
  });

  it("opens one session of two that are asked for at once", async () => {
    const code = await newSignInCode(ada);
    const answers = await Promise.allSettled([signedIn(code), signedIn(code)]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("has no permission, and makes no other code", async () => {
    const clients = rig.as({ bearer: await newSignInCode(ada) });
    expect(await failureOf(clients.roles.listRoles({}))).toMatchObject({ code: Code.PermissionDenied });
    expect(await failureOf(clients.sessions.createSignInCode({}))).toMatchObject({
      reason: "CREDENTIAL_OPENS_NO_SESSION",
    });
  });

  it("is part of an address's fragment, which browsers send to no server", async () => {
    const { code, signInUrl, expiresAt } = await administrator.sessions.createSignInCode({});
    expect(signInUrl).toBe(`${publicUrl}/console/sign-in#code=${code}`);
    expect(Number(expiresAt?.seconds) - Date.now() / 1_000).toBeLessThanOrEqual(300);
  });

  it("is refused after five minutes", async () => {
    const code = await newSignInCode(ada);
    await using store = await storeOf(rig);
    await store.database.collection("sign_in_codes").updateMany({}, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect((await refusalOf(code)).code).toBe(Code.Unauthenticated);
  });
});

describe("a person who is a member of two organisations", () => {
  it("switches, which ends the former session and keeps its end", async () => {
    await newMember(rig.as({ bearer: await rig.provider.token("hank") }), "ada");
    const globex = rig.globex.organisation?.id ?? "";
    const former = await signedIn(ada);
    expect(former.session.organisations.map(({ slug }) => slug)).toEqual(["acme", "globex"]);
    const { session, token } = await signedIn(former.token, { organisationId: globex });
    expect(session).toMatchObject({ method: SessionMethod.SWITCH, organisation: { slug: "globex" } });
    expect(session.expiresAt).toEqual(former.session.expiresAt);
    expect(await opened(token)).toMatchObject({ organisationId: globex });
    expect(await refusalOf(former.token)).toMatchObject({ code: Code.Unauthenticated });
  });
});

describe("switching to an organisation of others", () => {
  it("is not found, and ends nothing", async () => {
    await newMember(administrator, "grace").catch(() => undefined);
    const { token } = await signedIn(await rig.provider.token("grace"));
    const organisationId = rig.globex.organisation?.id ?? "";
    expect(await failureOf(signedIn(token, { organisationId }))).toMatchObject({ code: Code.NotFound });
    expect(await failureOf(signedIn(token, { organisationId: randomUUID() }))).toMatchObject({ code: Code.NotFound });
    expect(await opened(token)).toBeDefined();
  });
});

describe("sessions in a list", () => {
  it("are the caller's own, newest first, and say which is the caller's", async () => {
    const key = await newKey("metrics:read");
    const first = await signedIn(key.secret, { userAgent: "First" });
    const second = await signedIn(key.secret, { userAgent: "Second" });
    const { sessions } = await second.clients.sessions.listSessions({});
    expect(sessions.map(({ id, userAgent, isCurrent }) => [id, userAgent, isCurrent])).toEqual([
      [second.id, "Second", true],
      [first.id, "First", false],
    ]);
  });

  it("come page by page", async () => {
    const key = await newKey("metrics:read");
    const made = [await signedIn(key.secret), await signedIn(key.secret), await signedIn(key.secret)];
    const clients = rig.as({ bearer: key.secret });
    const page = await clients.sessions.listSessions({ limit: 2 });
    const rest = await clients.sessions.listSessions({ limit: 2, cursor: page.nextCursor });
    expect([...page.sessions, ...rest.sessions].map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(rest.nextCursor).toBe("");
  });

  it("are those of the whole organisation for who manages its members, and for no one else", async () => {
    const key = await newKey("metrics:read");
    const { id } = await signedIn(key.secret);
    const { sessions } = await administrator.sessions.listSessions({ everyone: true, limit: 1_000 });
    expect(sessions.map((each) => each.id)).toContain(id);
    const refused = failureOf(rig.as({ bearer: key.secret }).sessions.listSessions({ everyone: true }));
    expect(await refused).toMatchObject({ metadata: { permission: "members:manage" } });
  });
});

describe("ending a session", () => {
  it("signs the browser out and removes its cookie", async () => {
    const { clients, token } = await signedIn(ada);
    let removed = "";
    const onHeader = (header: Headers) => {
      removed = header.get("set-cookie") ?? "";
    };
    await clients.sessions.endSession({}, { onHeader });
    expect(removed).toBe("aiplatform-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated });
  });

  it("is in the audit log", async () => {
    const { clients, id } = await signedIn(ada);
    await clients.sessions.endSession({});
    const records = async () => (await administrator.audit.listAuditRecords({ entityId: id })).records;
    await eventually(async () => (await records()).length === 2, "both records of the session");
    expect((await records()).map(({ action }) => action).sort()).toEqual([
      "identity.session.created",
      "identity.session.ended",
    ]);
  });

  it("ends any of the organisation for who manages its members", async () => {
    const { id, token } = await signedIn((await newKey("metrics:read")).secret);
    await administrator.sessions.revokeSession({ sessionId: id });
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated });
    expect(await failureOf(administrator.sessions.revokeSession({ sessionId: id }))).toMatchObject({
      code: Code.NotFound,
    });
  });

  it("does not find those of others for anyone else", async () => {
    const { id } = await signedIn(ada);
    const other = rig.as({ bearer: (await newKey("metrics:read")).secret });
    expect(await failureOf(other.sessions.revokeSession({ sessionId: id }))).toMatchObject({ code: Code.NotFound });
    const hank = rig.as({ bearer: await rig.provider.token("hank") });
    expect(await failureOf(hank.sessions.revokeSession({ sessionId: id }))).toMatchObject({ code: Code.NotFound });
  });
});

describe("a session that was not used", () => {
  it("is refused, and no longer listed", async () => {
    const key = await newKey("metrics:read");
    const { id, token } = await signedIn(key.secret);
    await using store = await storeOf(rig);
    const longAgo = new Date(Date.now() - 62 * 60_000);
    const filter = { _id: id } as object;
    await store.database.collection("sessions").updateOne(filter, { $set: { last_used_at: longAgo } });
    expect(await refusalOf(token)).toMatchObject({ code: Code.Unauthenticated, reason: "CREDENTIAL_EXPIRED" });
    expect((await rig.as({ bearer: key.secret }).sessions.listSessions({})).sessions).toEqual([]);
  });
});

describe("what is stored of a session", () => {
  it("is a hash of its token", async () => {
    const { token } = await signedIn(ada);
    await using store = await storeOf(rig);
    const all = await store.database.collection("sessions").find().toArray();
    expect(all.length).toBeGreaterThan(0);
    expect(JSON.stringify(all)).not.toContain(token.slice(4));
  });
});

describe("the hundred-and-first session of a key", () => {
  it("ends the oldest", async () => {
    const key = await newKey("metrics:read");
    const oldest = await signedIn(key.secret);
    await using store = await storeOf(rig);
    const sessions = store.database.collection("sessions");
    const stored = await sessions.findOne({ _id: oldest.id } as object);
    const created_at = new Date(Date.now() + 1_000);
    const others = Array.from({ length: 99 }, () => ({ ...stored, _id: randomUUID(), hash: randomUUID(), created_at }));
    await sessions.insertMany(others as object[]);
    expect(await opened(oldest.token)).toBeDefined();
    await signedIn(key.secret);
    expect(await refusalOf(oldest.token)).toMatchObject({ code: Code.Unauthenticated });
  });
});

function storeOf({ config }: IdentityRig) {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  return connectDocumentStore({ uri, database, appName: "tests of sessions" });
}
