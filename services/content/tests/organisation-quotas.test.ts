import { randomUUID } from "node:crypto";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { withTransaction } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { callers, environmentOf, eventually, failureOf } from "@aiplatform/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig, startContentService } from "../src/index.ts";
import { ContentRig } from "./content-rig.ts";
import { IdentityBeside, type KnownOrganisation } from "./identity-beside.ts";

// Content has a stream of its own here: no event of identity reaches it, as if all of them had left the stream.
let parts: AsyncDisposableStack;
let identity: IdentityBeside;
let organisation: KnownOrganisation;
let rig: ContentRig;
let organisationLimits: OrganisationLimitStore;
beforeAll(async () => {
  parts = new AsyncDisposableStack();
  identity = parts.use(await IdentityBeside.start());
  rig = parts.use(await ContentRig.start({ settings: identity.settings }));
  organisationLimits = new OrganisationLimitStore(rig.store);
});
afterAll(() => parts.disposeAsync());
beforeEach(async () => {
  organisation = await identity.newOrganisation();
  await organisation.setQuotas({ email_drafts: 1 });
  await organisation.setQuotas({ email_drafts: 2 });
});

const isKnown = (revision: number) =>
  eventually(async () => {
    const known = await organisationLimits.find(organisation.organisationId);
    return known.revision === revision;
  }, `revision ${revision}`);

/** Starts one more replica, which compares what is known with what identity has. */
async function startReplica(): Promise<void> {
  const config = readConfig(environmentOf(rig.home, identity.settings));
  rig.services.push(await startContentService(config, { callers }));
}

/** Makes drafts until one is refused, and answers the limit. */
async function limitOfDrafts(): Promise<string | undefined> {
  const drafts = rig.as({ organisationId: organisation.organisationId }).client(EmailDraftService);
  for (let count = 0; count <= 5; count++) {
    const created = drafts.createEmailDraft({ subject: "News", text: "t" });
    const [{ status }] = await Promise.allSettled([created]);
    if (status === "rejected") return (await failureOf(created)).metadata["limit"];
  }
  return undefined;
}

describe("limits of which no event comes any longer", () => {
  it("are known to a service that starts for the first time after them", async () => {
    await startReplica();
    await isKnown(2);
    expect(await limitOfDrafts()).toBe("2");
  });

  it("are known again to a service whose database was restored from before them", async () => {
    await startReplica();
    await isKnown(2);
    await rig.store.database.collection("quotas").deleteMany({});
    await startReplica();
    await isKnown(2);
    expect(await limitOfDrafts()).toBe("2");
  });

  it("go back where identity was restored from a backup", async () => {
    const { organisationId } = organisation;
    const later = { organisationId, limits: { email_drafts: 5 }, revision: 7 };
    await withTransaction(rig.store, (session) => organisationLimits.put(later, session));
    await startReplica();
    await isKnown(2);
    expect(await limitOfDrafts()).toBe("2");
  });

  it("are removed where identity has the organisation's no longer", async () => {
    const gone = { organisationId: randomUUID(), limits: { email_drafts: 5 }, revision: 7 };
    await withTransaction(rig.store, (session) => organisationLimits.put(gone, session));
    await startReplica();
    await eventually(async () => (await organisationLimits.find(gone.organisationId)).revision === 0, "their removal");
  });
});
