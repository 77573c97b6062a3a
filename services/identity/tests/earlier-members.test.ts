import { MemberStatus } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";

let administration: AdministrationRig;
let store: DocumentStore;
beforeAll(async () => {
  administration = await startAdministrationRig();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = administration.rig.config;
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await administration[Symbol.asyncDispose]();
});

/** Adds a member, and answers their id. */
async function newMember(name: string, { known }: { known: boolean }): Promise<string> {
  const { issuer, subject, ...named } = administration.person(name);
  const wanted = known ? { ...named, issuer, subject } : named;
  const { member } = await administration.acme.members.createMember({ member: wanted });
  return member?.id ?? "";
}

/** Stores the member as members were stored before they had a status. */
async function storeAsBefore(id: string, active: boolean): Promise<void> {
  const members = store.database.collection<{ _id: string }>("members");
  await members.updateOne({ _id: id }, { $set: { active }, $unset: { status: "" } });
}

describe("a member who was stored with `active` in place of a status", () => {
  it("has the status that follows from it once the service has started, however often it starts", async () => {
    const acting = administration.rig.acme.administrator?.id ?? "";
    const awaited = await newMember("awaited", { known: false });
    const refused = await newMember("refused", { known: true });
    await storeAsBefore(awaited, true);
    await storeAsBefore(refused, false);
    await storeAsBefore(acting, true);
    for (let start = 0; start < 2; start += 1) {
      const replica = await administration.startReplica();
      const { members } = replica.as({ bearer: await administration.rig.provider.token("ada") });
      const found = await Promise.all([acting, awaited, refused].map((memberId) => members.getMember({ memberId })));
      expect(found.map(({ member }) => member?.status)).toEqual([
        MemberStatus.ACTIVE,
        MemberStatus.INVITED,
        MemberStatus.INACTIVE,
      ]);
    }
    expect(await store.database.collection("members").countDocuments({ active: { $exists: true } })).toBe(0);
  });
});
