import { randomUUID } from "node:crypto";
import { connectDocumentStore } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import type { IdentityClients, IdentityRig } from "./identity-rig.ts";

let administration: AdministrationRig;
let rig: IdentityRig;
let acme: IdentityClients;
beforeAll(async () => {
  administration = await startAdministrationRig();
  ({ rig, acme } = administration);
});
afterAll(async () => {
  await administration[Symbol.asyncDispose]();
});

const noMember = { code: Code.FailedPrecondition, reason: "CALLER_IS_NO_MEMBER" };
const adaId = () => rig.acme.administrator?.id ?? "";

/** What a member without any role is let do. */
async function graceWithoutRoles(): Promise<{ id: string; grace: IdentityClients }> {
  const { issuer } = rig.provider;
  const member = { displayName: "Grace", email: "grace@acme.test", issuer, subject: "grace" };
  const made = await acme.members.createMember({ member });
  return { id: made.member?.id ?? "", grace: rig.as({ bearer: await rig.provider.token("grace") }) };
}

describe("asking for oneself", () => {
  it("answers the calling member, and takes no permission", async () => {
    const { id, grace } = await graceWithoutRoles();
    expect((await grace.members.getOwnMember({})).member).toMatchObject({ id, emailOptedOut: false, roleIds: [] });
    expect((await grace.members.setOwnEmailPreference({ emailOptedOut: true })).member).toMatchObject({ id });
    expect((await grace.members.getOwnMember({})).member).toMatchObject({ id, emailOptedOut: true });
  });

  it("is nothing for a key that acts for itself, nor for the operator", async () => {
    const key = await administration.limitedTo("metrics:read");
    for (const { members } of [key, administration.operator]) {
      expect(await failureOf(members.getOwnMember({}))).toMatchObject(noMember);
      expect(await failureOf(members.setOwnEmailPreference({ emailOptedOut: true }))).toMatchObject(noMember);
    }
  });
});

describe("wanting no e-mails", () => {
  const resolved = async () => (await acme.members.resolveMembers({ memberIds: [adaId()] })).members[0];

  it("is told to callers who write to members, until the member wants them again", async () => {
    for (const emailOptedOut of [true, true, false]) {
      const { member } = await acme.members.setOwnEmailPreference({ emailOptedOut });
      expect(member?.emailOptedOut).toBe(emailOptedOut);
      expect(await resolved()).toMatchObject({ id: adaId(), emailOptedOut, isActive: true });
      expect((await acme.members.getMember({ memberId: adaId() })).member?.emailOptedOut).toBe(emailOptedOut);
    }
  });

  it("has to be said one way or the other", async () => {
    expect(await failureOf(acme.members.setOwnEmailPreference({}))).toMatchObject({ code: Code.InvalidArgument });
  });

  it("does not hold for a member who was stored before members were asked", async () => {
    const memberId = await administration.newMember("earlier");
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    const members = store.database.collection<{ _id: string }>("members");
    await members.updateOne({ _id: memberId }, { $unset: { email_opted_out: "" } });
    expect((await acme.members.getMember({ memberId })).member?.emailOptedOut).toBe(false);
  });
});

describe("asking which ids are members'", () => {
  it("answers those of the caller's organisation, whatever may be done with its credential", async () => {
    const memberId = await administration.newMember("checked");
    await acme.members.deactivateMember({ memberId });
    const foreign = rig.globex.administrator?.id ?? "";
    const reader = await administration.limitedTo("metrics:read");
    const { memberIds } = await reader.members.checkMembers({
      memberIds: [memberId.toUpperCase(), memberId, randomUUID(), foreign],
    });
    expect(memberIds).toEqual([memberId]);
  });
});
