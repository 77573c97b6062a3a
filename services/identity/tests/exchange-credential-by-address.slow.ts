import { randomUUID } from "node:crypto";
import type { CallerContext } from "@aiplatform/contract/aiplatform/access/v1/caller_context";
import { type Member, MemberStatus } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { type Collection, connectDocumentStore, Outbox } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import type { JWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signToken } from "./forged-tokens.ts";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { newKey } from "./loopback-issuer.ts";
import { publishKeys } from "./published-keys.ts";

const audience = "https://aiplatform.test";

interface Issuer {
  issuer: string;
  key: JWK;
}

/** What the event of a change holds besides its message. */
interface Staged {
  _id: string;
  data_schema: string;
  entity_id: string;
  cause?: { memberId?: string; credentialId?: string };
}

describe("a token of a subject that no member is bound to", () => {
  const parts = new AsyncDisposableStack();
  let rig: IdentityRig;
  let anonymous: IdentityClients;
  let acme: IdentityClients;
  let globex: IdentityClients;
  let outbox: Collection<Staged>;
  /** Believed for the addresses of every organisation. */
  let everyones: Issuer;
  /** Believed for the addresses of acme. */
  let acmes: Issuer;
  /** Not believed for addresses. */
  let strict: Issuer;

  beforeAll(async () => {
    const publish = async (): Promise<Issuer> => {
      const key = await newKey();
      return { key, issuer: parts.use(await publishKeys([key])).url };
    };
    [everyones, acmes, strict] = [await publish(), await publish(), await publish()];
    const settings = ({ issuer }: Issuer) => ({ issuer, audience, jwks_uri: issuer, allow_http: true });
    const otherIssuers = [
      { ...settings(everyones), match_verified_email: true, subject_claim: "oid" },
      { ...settings(acmes), match_verified_email: true, organisation: "acme" },
      settings(strict),
    ];
    rig = parts.use(await startIdentityRig({ otherIssuers }));
    anonymous = rig.as({});
    acme = rig.as({ apiKey: rig.acme.apiKeySecret });
    globex = rig.as({ apiKey: rig.globex.apiKeySecret });
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    const store = parts.use(await connectDocumentStore({ uri, database, appName: "identity tests" }));
    outbox = store.database.collection(Outbox.indexes.collection);
  });
  afterAll(async () => await parts.disposeAsync());

  const newAddress = () => `${randomUUID()}@people.test`;
  const invite = async (organisation: IdentityClients, email: string): Promise<Member> => {
    const { member } = await organisation.members.createMember({ member: { displayName: "Invited", email } });
    if (!member) throw new Error("no member was invited");
    return member;
  };
  const tokenOf = ({ issuer, key }: Issuer, claims: object) => {
    const iat = Math.floor(Date.now() / 1000);
    const subject = randomUUID();
    return signToken({ iss: issuer, aud: audience, sub: subject, oid: subject, iat, exp: iat + 60, ...claims }, key);
  };
  const callerOf = async (bearer: string): Promise<CallerContext | undefined> =>
    (await anonymous.credentials.exchangeCredential({ bearer })).caller;
  const refusalOf = async (bearer: string) => (await failureOf(callerOf(bearer))).reason;
  const stateOf = async (organisation: IdentityClients, { id }: Member) =>
    (await organisation.members.getMember({ memberId: id })).member;
  const eventsOf = async ({ id }: Member) => {
    const staged = await outbox.find({ entity_id: id }).toArray();
    return staged.map(({ data_schema: name }) => name.replace("aiplatform.events.v1.", ""));
  };

  describe("with the verified address of an invited member", () => {
    it("takes up the invitation: the subject stands for the member from then on, whatever its address", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      expect(member).toMatchObject({ status: MemberStatus.INVITED, issuer: "", subject: "" });
      const named = { sub: "x", oid: `oid-${email}`, organisation: "acme" };
      const first = await tokenOf(everyones, { ...named, email: email.toUpperCase(), email_verified: true });
      expect(await callerOf(first)).toMatchObject({
        organisationId: rig.acme.organisation?.id,
        memberId: member.id,
        credentialId: `${everyones.issuer} oid-${email}`,
      });
      const joined = { status: MemberStatus.ACTIVE, issuer: everyones.issuer, subject: `oid-${email}`, email };
      expect(await stateOf(acme, member)).toMatchObject(joined);
      const later = await tokenOf(everyones, { ...named, email: newAddress(), email_verified: false });
      expect(await callerOf(later)).toMatchObject({ memberId: member.id });
    });

    it("is told of once, and by whom", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      const bearer = await tokenOf(acmes, { sub: email, email, email_verified: true });
      await callerOf(bearer);
      await callerOf(bearer);
      expect((await eventsOf(member)).sort()).toEqual(["CredentialChanged", "MemberAdded", "MemberJoined"]);
      const told = await outbox.findOne({ entity_id: member.id, data_schema: "aiplatform.events.v1.MemberJoined" });
      expect(told?.cause).toMatchObject({ memberId: member.id, credentialId: `${acmes.issuer} ${email}` });
    });

    it("takes it up once when the first requests come together", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      const bearer = await tokenOf(everyones, { email, email_verified: true });
      const callers = await Promise.all(Array.from({ length: 20 }, () => callerOf(bearer)));
      expect(new Set(callers.map((caller) => caller?.memberId))).toEqual(new Set([member.id]));
      expect((await eventsOf(member)).filter((name) => name === "MemberJoined")).toHaveLength(1);
    });

    it("lets one subject in when several come with the address together", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      const rivals = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          tokenOf(index % 2 ? everyones : acmes, { email, email_verified: true, organisation: "acme" }),
        ),
      );
      const outcomes = await Promise.allSettled(rivals.map(callerOf));
      const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
      expect(winners.map(({ value }) => value?.memberId)).toEqual([member.id]);
      for (const [index, { status }] of outcomes.entries()) {
        if (status === "rejected") expect(await refusalOf(rivals[index] ?? "")).toBe("MEMBER_UNKNOWN");
      }
      expect((await eventsOf(member)).filter((name) => name === "MemberJoined")).toHaveLength(1);
    });
  });

  describe("opens nothing", () => {
    it.each([
      ["when the address is not verified", { email_verified: false }],
      ["when nothing is said of the address", {}],
      ["when a word stands for the truth", { email_verified: "true" }],
    ])("%s", async (_, change) => {
      const email = newAddress();
      const member = await invite(acme, email);
      const bearer = await tokenOf(everyones, { organisation: "acme", email, ...change });
      expect(await refusalOf(bearer)).toBe("MEMBER_UNKNOWN");
      expect(await stateOf(acme, member)).toMatchObject({ status: MemberStatus.INVITED, subject: "" });
    });

    it("when its issuer is not believed for addresses", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      const bearer = await tokenOf(strict, { organisation: "acme", email, email_verified: true });
      expect(await refusalOf(bearer)).toBe("MEMBER_UNKNOWN");
      expect(await stateOf(acme, member)).toMatchObject({ status: MemberStatus.INVITED });
    });

    it("when the address is of a member with another issuer, or of another subject of the same", async () => {
      const email = newAddress();
      const member = await invite(acme, email);
      const claims = { organisation: "acme", email, email_verified: true };
      await callerOf(await tokenOf(acmes, claims));
      // When a member was last seen is recorded later, in the background.
      const { lastSeenAt: _, ...before } = (await stateOf(acme, member)) ?? {};
      for (const issuer of [acmes, everyones]) {
        expect(await refusalOf(await tokenOf(issuer, claims))).toBe("MEMBER_UNKNOWN");
      }
      expect(await stateOf(acme, member)).toMatchObject(before);
    });

    it("when the member was deactivated, before joining or after", async () => {
      const [never, joined] = [newAddress(), newAddress()];
      const members = [await invite(acme, never), await invite(acme, joined)];
      const claims = { sub: joined, oid: joined, organisation: "acme", email: joined, email_verified: true };
      await callerOf(await tokenOf(everyones, claims));
      for (const { id: memberId } of members) await acme.members.deactivateMember({ memberId });
      expect(await refusalOf(await tokenOf(everyones, claims))).toBe("MEMBER_INACTIVE");
      expect(await refusalOf(await tokenOf(everyones, { ...claims, oid: "another" }))).toBe("MEMBER_UNKNOWN");
      expect(await refusalOf(await tokenOf(everyones, { ...claims, email: never, oid: never }))).toBe("MEMBER_UNKNOWN");
      for (const member of members) {
        expect(await stateOf(acme, member)).toMatchObject({ status: MemberStatus.INACTIVE });
      }
    });

    it("when the invitation is another organisation's than the token's or the issuer's", async () => {
      const email = newAddress();
      const member = await invite(globex, email);
      for (const [issuer, organisation] of [
        [everyones, { organisation: "acme" }],
        [acmes, { organisation: "globex" }],
        [acmes, {}],
      ] as const) {
        const bearer = await tokenOf(issuer, { ...organisation, email, email_verified: true });
        expect(await refusalOf(bearer)).toBe("MEMBER_UNKNOWN");
      }
      expect(await stateOf(globex, member)).toMatchObject({ status: MemberStatus.INVITED });
    });
  });

  describe("and without an organisation", () => {
    it("joins the one in which the address is known, and finds it again without the address", async () => {
      const email = newAddress();
      const member = await invite(globex, email);
      const joined = await callerOf(await tokenOf(everyones, { oid: email, email, email_verified: true }));
      expect(joined).toMatchObject({ organisationId: rig.globex.organisation?.id, memberId: member.id });
      expect(await callerOf(await tokenOf(everyones, { oid: email }))).toMatchObject({ memberId: member.id });
    });

    it("is answered the same whether the address is known nowhere, in two organisations, or already taken", async () => {
      const [nowhere, twice, taken] = [newAddress(), newAddress(), newAddress()];
      for (const organisation of [acme, globex]) await invite(organisation, twice);
      await invite(acme, taken);
      await callerOf(await tokenOf(acmes, { email: taken, email_verified: true }));
      const failures = await Promise.all(
        [nowhere, twice, taken].map(async (email) =>
          failureOf(callerOf(await tokenOf(everyones, { email, email_verified: true }))),
        ),
      );
      for (const failure of failures) expect(failure).toEqual(failures[0]);
      expect(failures[0]?.reason).toBe("ORGANISATION_UNDECIDED");
      for (const { message } of failures) expect(message).not.toMatch(/acme|globex|people\.test/);
    });

    it("goes on as who it is when another organisation invites the address, and must choose once it is in both", async () => {
      const email = newAddress();
      const claims = { oid: email, email, email_verified: true };
      const member = await invite(acme, email);
      await callerOf(await tokenOf(everyones, claims));
      const other = await invite(globex, email);
      expect(await callerOf(await tokenOf(everyones, claims))).toMatchObject({ memberId: member.id });
      const chosen = await callerOf(await tokenOf(everyones, { ...claims, organisation: "globex" }));
      expect(chosen).toMatchObject({ memberId: other.id });
      expect(await refusalOf(await tokenOf(everyones, claims))).toBe("ORGANISATION_UNDECIDED");
      await acme.members.deactivateMember({ memberId: member.id });
      expect(await callerOf(await tokenOf(everyones, claims))).toMatchObject({ memberId: other.id });
    });

    it("may join elsewhere after it was deactivated, and is told so where there is nothing to join", async () => {
      const email = newAddress();
      const claims = { oid: email, email, email_verified: true };
      const { id: memberId } = await invite(acme, email);
      await callerOf(await tokenOf(everyones, claims));
      await acme.members.deactivateMember({ memberId });
      expect(await refusalOf(await tokenOf(everyones, claims))).toBe("MEMBER_INACTIVE");
      const other = await invite(globex, email);
      expect(await callerOf(await tokenOf(everyones, claims))).toMatchObject({ memberId: other.id });
    });

    it("is refused as before by an issuer that is not believed for addresses", async () => {
      const email = newAddress();
      await invite(acme, email);
      expect(await refusalOf(await tokenOf(strict, { email, email_verified: true }))).toBe("MEMBER_UNKNOWN");
    });
  });

  it("may be of an administrator who founds the organisation by coming", async () => {
    const email = newAddress();
    const operator = rig.as({ bearer: rig.config.OPERATOR_KEY ?? "" });
    const administrator = { displayName: "Founder", email };
    const slug = `f-${randomUUID()}`.slice(0, 20);
    const founded = await operator.organisations.createOrganisation({ slug, name: "Founded", administrator });
    const caller = await callerOf(await tokenOf(everyones, { email, email_verified: true, organisation: slug }));
    expect(caller).toMatchObject({ memberId: founded.administrator?.id });
    expect(caller?.permissions).toContain("members:manage");
  });
});
