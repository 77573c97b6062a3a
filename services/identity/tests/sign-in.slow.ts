import { createHash, randomUUID } from "node:crypto";
import { SessionCookie } from "@aiplatform/caller-identity";
import { SessionMethod } from "@aiplatform/contract/aiplatform/identity/v1/sessions";
import { failureOf } from "@aiplatform/testkit";
import type { JWK } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startIdentityService } from "../src/identity-service.ts";
import { SealedAttempts } from "../src/sign-in/sign-in-attempt.ts";
import { clientsOf, type IdentityClients, type IdentityRig, operatorKey, startIdentityRig } from "./identity-rig.ts";
import { newKey } from "./loopback-issuer.ts";
import { client, type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { type BroughtBack, SignInBrowser } from "./sign-in-browser.ts";

const publicUrl = "https://platform.example";
let provider: ScriptedProvider;
/** Of the organisation acme alone, and believed for nothing but its subjects. */
let bound: ScriptedProvider;
let rig: IdentityRig;
let anyone: IdentityClients;
let ada: IdentityClients;
let hank: IdentityClients;
let browser: SignInBrowser;

beforeAll(async () => {
  provider = await startScriptedProvider();
  bound = await startScriptedProvider();
  const settingsOf = (id: string, { issuer }: ScriptedProvider) => ({
    ...{ issuer, audience: "aiplatform", allow_http: true },
    sign_in: { id, name: `Sign-in of ${id}`, client_id: client.id },
  });
  const otherIssuers = [
    { ...settingsOf("work", provider), match_verified_email: true },
    { ...settingsOf("bound", bound), organisation: "acme" },
  ];
  const OIDC_CLIENT_SECRETS = JSON.stringify({ work: client.secret, bound: client.secret });
  rig = await startIdentityRig({ otherIssuers, settings: { PUBLIC_URL: publicUrl, OIDC_CLIENT_SECRETS } });
  anyone = rig.as({});
  ada = rig.as({ bearer: await rig.provider.token("ada") });
  hank = rig.as({ bearer: await rig.provider.token("hank") });
});

afterAll(async () => {
  for (const each of [rig, provider, bound]) await each?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  browser = new SignInBrowser();
  provider.userinfo = undefined;
  bound.userinfo = undefined;
});

/** A person of the provider who is a member. */
async function newMember({ members }: IdentityClients, subject = randomUUID(), { issuer } = provider) {
  const person = { displayName: subject, email: `${subject}@people.test`, issuer, subject };
  const { member } = await members.createMember({ member: person, roleIds: [] });
  return { subject, id: member?.id ?? "" };
}

/** What the provider says of a person, and what is changed of it. */
interface Said {
  claims?: { sub?: string | undefined; [claim: string]: unknown };
  key?: JWK;
}

/** Goes to the provider, which then says this of the person; answers what the browser is sent back with. */
async function toProvider({ claims = {}, key }: Said, { id = "work", from = provider, to = "" } = {}) {
  const sent = await browser.start(anyone, id, to);
  const { state = "", nonce } = Object.fromEntries(sent.searchParams);
  const now = Math.floor(Date.now() / 1_000);
  from.userinfo ??= { sub: claims.sub };
  const usual = { iss: from.issuer, aud: client.id, iat: now, exp: now + 300, nonce };
  from.answer = async () => ({
    ...{ access_token: "access", token_type: "Bearer" },
    id_token: await from.idToken({ ...usual, ...claims }, key),
  });
  return { sent, back: { provider: id, state, iss: from.issuer } };
}

/** All the way; answers where the browser ends. */
async function signIn(said: Said, options: { id?: string; from?: ScriptedProvider; to?: string } = {}) {
  const { back } = await toProvider(said, options);
  return await browser.comeBack(anyone, back);
}

const problemOf = (url: URL) => url.searchParams.get("problem");

/** The session of the browser's cookie. */
async function session() {
  const token = SessionCookie.at(publicUrl)?.tokenIn(browser.cookie) ?? "";
  return (await rig.as({ bearer: token }).sessions.getSession({})).session;
}

describe("the providers that people can sign in with", () => {
  it("are told to everyone, with nothing but id and name", async () => {
    expect((await anyone.signIn.listSignInProviders({})).providers).toMatchObject([
      { id: "work", name: "Sign-in of work" },
      { id: "bound", name: "Sign-in of bound" },
    ]);
  });
});

describe("a member who signs in", () => {
  it("is sent to the provider with a state, a nonce and a challenge, and known again by a cookie", async () => {
    const { sent } = await toProvider({});
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      client_id: client.id,
      response_type: "code",
      redirect_uri: `${publicUrl}/platform/sign-in/work/callback`,
      scope: "openid email",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const { page } = await anyone.signIn.startSignIn({ provider: "work" });
    expect(page?.setCookie).toMatch(
      /^__Host-aiplatform-sign-in-1=[\w.-]+; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it("comes to the page that was asked for, in a session of the member", async () => {
    const { subject, id } = await newMember(ada);
    const { sent, back } = await toProvider({ claims: { sub: subject } }, { to: "/runs?filter=a%20%3D%20b#top" });
    const ended = await browser.comeBack(anyone, back);
    expect(ended.href).toBe(`${publicUrl}/console/runs?filter=a%20%3D%20b#top`);
    expect(await session()).toMatchObject({ method: SessionMethod.IDENTITY_PROVIDER, member: { id } });
    const form = provider.asked.at(-1);
    const verifier = form?.get("code_verifier") ?? "";
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(sent.searchParams.get("code_challenge"));
    expect(form?.get("client_secret")).toBe(client.secret);
  });

  it("is in a strict cookie, and the audit log has who it was", async () => {
    const { subject, id } = await newMember(ada);
    const { back } = await toProvider({ claims: { sub: subject } });
    const { page } = await anyone.signIn.completeSignIn({ ...back, code: "c", cookie: browser.cookie });
    expect(page?.setCookie).toMatch(/^__Host-aiplatform-session=ais_.*; HttpOnly; Secure; SameSite=Strict$/);
    await expect
      .poll(async () => (await ada.audit.listAuditRecords({ memberId: id })).records.map(({ action }) => action))
      .toContain("identity.session.created");
  });

  it.each([
    ["has no address", false],
    ["has the same address", true],
  ])("takes up an invitation by what the userinfo endpoint verifies, where the id token %s", async (_, hasAddress) => {
    const [subject, email] = [randomUUID(), `${randomUUID()}@people.test`];
    await ada.members.createMember({ member: { displayName: "Invited", email }, roleIds: [] });
    provider.userinfo = { sub: subject, email, email_verified: true };
    const ended = await signIn({ claims: { sub: subject, ...(hasAddress ? { email } : {}) } });
    expect(ended.pathname).toBe("/console/");
    expect((await session())?.member?.email).toBe(email);
  });

  it("comes into the organisation where they were last, and can switch from there", async () => {
    const { subject } = await newMember(ada);
    await newMember(hank, subject);
    await signIn({ claims: { sub: subject } });
    const first = await session();
    expect(first?.organisations.map(({ slug }) => slug)).toEqual(["acme", "globex"]);
    const other = first?.organisations.find(({ id }) => id !== first.organisation?.id)?.id ?? "";
    const token = SessionCookie.at(publicUrl)?.tokenIn(browser.cookie) ?? "";
    await rig.as({ bearer: token }).sessions.createSession({ organisationId: other });
    await signIn({ claims: { sub: subject } });
    expect((await session())?.organisation?.id).toBe(other);
  });

  it("of a provider that is bound to an organisation needs no claim of it", async () => {
    const { subject } = await newMember(ada, undefined, bound);
    await signIn({ claims: { sub: subject } }, { id: "bound", from: bound });
    expect((await session())?.organisation?.slug).toBe("acme");
  });

  it("of a provider that signs with another key since then comes in, without a restart", async () => {
    const { subject } = await newMember(ada, undefined, bound);
    await signIn({ claims: { sub: subject } }, { id: "bound", from: bound });
    await bound.rotateKey();
    const ended = await signIn({ claims: { sub: subject } }, { id: "bound", from: bound });
    expect(ended.href).toBe(`${publicUrl}/console/`);
  });

  it("starts at one replica and comes back at another", async () => {
    await using other = await startIdentityService(rig.config);
    await using parts = new AsyncDisposableStack();
    const { subject } = await newMember(ada);
    const { back } = await toProvider({ claims: { sub: subject } });
    const ended = await browser.comeBack(clientsOf(other, parts)({}), back);
    expect(ended.href).toBe(`${publicUrl}/console/`);
  });

  it("keeps nothing of the way there, so that any number of tabs can sign in one after the other", async () => {
    const { subject } = await newMember(ada);
    const waiting = await toProvider({ claims: { sub: subject } });
    for (let tab = 1; tab <= 5; tab += 1) {
      await signIn({ claims: { sub: subject } });
      expect([...browser.cookies.keys()]).toEqual(["__Host-aiplatform-sign-in-1", "__Host-aiplatform-session"]);
    }
    const nonce = waiting.sent.searchParams.get("nonce");
    const { back } = await toProvider({ claims: { sub: subject, nonce } });
    expect(back.state).not.toBe(waiting.back.state);
    expect((await browser.comeBack(anyone, waiting.back)).href).toBe(`${publicUrl}/console/`);
  });

  it("has up to four tabs on their way at once", async () => {
    const { subject } = await newMember(ada);
    const first = await toProvider({ claims: { sub: subject } });
    for (let tab = 2; tab <= 4; tab += 1) await browser.start(anyone, "work");
    expect(browser.cookies.size).toBe(4);
    const answer = provider.answer;
    await browser.start(anyone, "work");
    expect(browser.cookies.size).toBe(4);
    provider.answer = answer;
    expect(problemOf(await browser.comeBack(anyone, first.back))).toBe("sign_in_unknown");
  });
});

describe("an id token that is not for this browser", () => {
  const ended = { iat: 1, exp: 2 };
  const notOurs = "response_invalid";
  const incomplete = "provider_unavailable";
  it.each<[string, string, (other: JWK) => Said]>([
    ["with another nonce", notOurs, () => ({ claims: { nonce: "another" } })],
    ["without a nonce", incomplete, () => ({ claims: { nonce: undefined } })],
    ["for another client", notOurs, () => ({ claims: { aud: "another" } })],
    [
      "for several clients, of which it names another",
      notOurs,
      () => ({ claims: { aud: [client.id, "another"], azp: "another" } }),
    ],
    ["of another issuer", notOurs, () => ({ claims: { iss: "https://elsewhere.example" } })],
    ["that has expired", notOurs, () => ({ claims: ended })],
    ["that another key has signed", notOurs, (key) => ({ key })],
    ["without a subject", incomplete, () => ({ claims: { sub: undefined } })],
  ])("%s opens nothing", async (_, problem, said) => {
    const { subject } = await newMember(ada);
    const { claims, ...rest } = said(await newKey());
    const url = await signIn({ claims: { sub: subject, ...claims }, ...rest });
    expect(url.pathname).toBe("/console/sign-in");
    expect(problemOf(url)).toBe(problem);
    expect(SessionCookie.at(publicUrl)?.tokenIn(browser.cookie)).toBeUndefined();
  });
});

describe("a way back that is not the browser's own", () => {
  it.each<[string, BroughtBack, string]>([
    ["with another state", { state: "A".repeat(43) }, "sign_in_unknown"],
    ["without a state", { state: "" }, "sign_in_unknown"],
    ["to another provider", { provider: "bound" }, "sign_in_unknown"],
    ["under another issuer's name", { iss: "https://elsewhere.example" }, "response_invalid"],
    ["without the issuer's name, which it announces", { iss: "" }, "response_invalid"],
    ["without a code", { code: "" }, "response_invalid"],
    ["after the person declined", { error: "access_denied" }, "access_denied"],
    ["after the provider refused", { error: "invalid_scope" }, "provider_refused"],
  ])("%s opens nothing, and the provider is not asked", async (_, changed, problem) => {
    const { subject } = await newMember(ada);
    const { back } = await toProvider({ claims: { sub: subject } }, { to: "/models" });
    const before = provider.asked.length;
    const url = await browser.comeBack(anyone, { ...back, ...changed });
    expect([url.origin + url.pathname, problemOf(url)]).toEqual([`${publicUrl}/console/sign-in`, problem]);
    expect(provider.asked).toHaveLength(before);
  });

  it("in another browser opens nothing, so that no one can be signed in as someone else", async () => {
    const { subject } = await newMember(ada);
    const { back } = await toProvider({ claims: { sub: subject } });
    const victim = new SignInBrowser();
    expect(problemOf(await victim.comeBack(anyone, back))).toBe("sign_in_unknown");
  });

  it("a second time opens nothing, also at the same moment, and the code is exchanged once", async () => {
    const { subject } = await newMember(ada);
    const { back } = await toProvider({ claims: { sub: subject } }, { to: "/models" });
    const before = provider.asked.length;
    const request = { ...back, code: "c", cookie: browser.cookie };
    const pages = await Promise.all([1, 2, 3].map(() => anyone.signIn.completeSignIn(request)));
    const problems = pages.map(({ page }) => problemOf(new URL(page?.location ?? "")));
    expect(problems.sort()).toEqual([null, "sign_in_used", "sign_in_used"].sort());
    expect(provider.asked).toHaveLength(before + 1);
  });

  it("after its time opens nothing, and leads on to the page that was asked for", async () => {
    const sealed = new SealedAttempts({ secret: rig.config.API_KEY_HASH_SECRET, clock: () => new Date() });
    const secrets = { state: "s".repeat(43), nonce: "n", codeVerifier: "v" };
    const over = { ...secrets, provider: "work", to: "/models", expiresAt: new Date(Date.now() - 2_000) };
    browser.cookies.set("__Host-aiplatform-sign-in-2", await sealed.seal(over));
    const url = await browser.comeBack(anyone, { state: over.state, iss: provider.issuer });
    expect([problemOf(url), url.searchParams.get("to")]).toEqual(["sign_in_expired", "/models"]);
    expect(browser.cookies.size).toBe(0);
  });

  it("with a cookie that is not ours opens nothing", async () => {
    const foreign = new SealedAttempts({ secret: "another secret of at least 32 characters", clock: () => new Date() });
    const secrets = { state: "s".repeat(43), nonce: "n", codeVerifier: "v" };
    const expiresAt = new Date(Date.now() + 60_000);
    const forged = await foreign.seal({ ...secrets, provider: "work", to: "/", expiresAt });
    browser.cookies.set("__Host-aiplatform-sign-in-1", forged);
    const url = await browser.comeBack(anyone, { state: secrets.state, iss: provider.issuer });
    expect(problemOf(url)).toBe("sign_in_unknown");
  });
});

describe("a person who may not come in", () => {
  it("is told that they are no member", async () => {
    const url = await signIn({ claims: { sub: randomUUID(), organisation: "acme" } });
    expect([problemOf(url), url.searchParams.get("provider")]).toEqual(["member_unknown", "work"]);
  });

  it("is told that no organisation can be found", async () => {
    provider.userinfo = { sub: "someone" };
    expect(problemOf(await signIn({ claims: { sub: "someone" } }))).toBe("organisation_undecided");
  });

  it("is told that they were deactivated", async () => {
    const { subject, id } = await newMember(ada);
    await ada.members.deactivateMember({ memberId: id });
    expect(problemOf(await signIn({ claims: { sub: subject, organisation: "acme" } }))).toBe("member_inactive");
  });

  it("is told that their organisation is suspended", async () => {
    const { subject } = await newMember(hank);
    const operator = rig.as({ bearer: operatorKey });
    const organisationId = rig.globex.organisation?.id ?? "";
    await operator.organisations.suspendOrganisation({ organisationId });
    try {
      const url = await signIn({ claims: { sub: subject, organisation: "globex" } });
      expect(problemOf(url)).toBe("organisation_suspended");
    } finally {
      await operator.organisations.restoreOrganisation({ organisationId });
    }
  });

  it("gets nothing by an address that is not verified", async () => {
    const [subject, email] = [randomUUID(), `${randomUUID()}@people.test`];
    await ada.members.createMember({ member: { displayName: "Invited", email }, roleIds: [] });
    provider.userinfo = { sub: subject, email, email_verified: false };
    expect(problemOf(await signIn({ claims: { sub: subject } }))).toBe("organisation_undecided");
  });

  it("gets nothing by an address of the id token that only the userinfo endpoint calls verified", async () => {
    const [subject, email] = [randomUUID(), `${randomUUID()}@people.test`];
    await ada.members.createMember({ member: { displayName: "Invited", email }, roleIds: [] });
    provider.userinfo = { sub: subject, email: "another@people.test", email_verified: true };
    expect(problemOf(await signIn({ claims: { sub: subject, email } }))).toBe("organisation_undecided");
  });

  it("gets nothing by what the userinfo endpoint says of someone else", async () => {
    const email = `${randomUUID()}@people.test`;
    await ada.members.createMember({ member: { displayName: "Invited", email }, roleIds: [] });
    provider.userinfo = { sub: "someone else", email, email_verified: true };
    expect(problemOf(await signIn({ claims: { sub: randomUUID() } }))).toBe("provider_unavailable");
  });
});

describe("a provider that fails", () => {
  it.each<[string, object | number, string]>([
    ["answers an error", 500, "provider_unavailable"],
    ["gives no id token", { access_token: "a", token_type: "Bearer" }, "provider_unavailable"],
  ])("and %s is told as such", async (_, answer, problem) => {
    const { back } = await toProvider({});
    provider.answer = async () => answer;
    expect(problemOf(await browser.comeBack(anyone, back))).toBe(problem);
  });

  it("and never answers is told as such", async () => {
    const { back } = await toProvider({});
    provider.answer = () => new Promise(() => {});
    expect(problemOf(await browser.comeBack(anyone, back))).toBe("provider_timeout");
  });

  it("that is not known is told as such", async () => {
    expect(problemOf(await browser.start(anyone, "unknown", "/models"))).toBe("provider_unknown");
  });
});

describe("the page to show afterwards", () => {
  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/.//evil.example/",
    "runs",
    "/sign-in?to=/",
    `/${"ä".repeat(500)}`,
  ])("is none that leads elsewhere, or is too long for a cookie: %s", async (to) => {
    const failure = await failureOf(anyone.signIn.startSignIn({ provider: "work", to }));
    expect(failure.reason).toBe("RETURN_PATH_INVALID");
  });
});
