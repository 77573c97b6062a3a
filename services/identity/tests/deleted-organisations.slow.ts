import { randomUUID } from "node:crypto";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContentOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { DataOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import { DeploymentsOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import {
  PipelineCreatedSchema,
  TrainingOrganisationPurgedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import { OrganisationState } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { connectDocumentStore, type DocumentStore, ownedCollections } from "@aiplatform/document-store";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityIndexes } from "../src/stores.ts";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import type { IdentityClients } from "./identity-rig.ts";

const { ACTIVE, DELETING, DELETED } = OrganisationState;
const schemas = {
  content: ContentOrganisationPurgedSchema,
  data: DataOrganisationPurgedSchema,
  deployments: DeploymentsOrganisationPurgedSchema,
  training: TrainingOrganisationPurgedSchema,
};
type Service = keyof typeof schemas;

let administration: AdministrationRig;
let operator: IdentityClients;
let store: DocumentStore;
let organisationId: string;
let slug: string;
let others: string;
const streams = new Map<Service, EventStream>();
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  administration = cleanUp.use(await startAdministrationRig({ settings: { PURGE_SETTLE_MS: "1000" } }));
  operator = administration.operator;
  const { config, acme, globex } = administration.rig;
  organisationId = acme.organisation?.id ?? "";
  slug = acme.organisation?.slug ?? "";
  others = globex.organisation?.id ?? "";
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, NATS_URL: servers, NATS_STREAM: streamName } = config;
  store = cleanUp.use(await connectDocumentStore({ uri, database, appName: "tests" }));
  for (const service of ["content", "data", "deployments", "training"] as const) {
    const options = { servers, streamName, name: `${service} of the tests`, keys: serviceKeys(service) };
    const stream = cleanUp.use(await connectEventStream(options));
    await eventually(() => stream.incarnation() !== undefined);
    streams.set(service, stream);
  }
}, 60_000);
afterAll(() => cleanUp.disposeAsync());

const inspected = async () => (await operator.organisations.inspectOrganisation({ organisationId })).organisation;
const deleteIt = (confirmSlug = slug) => operator.organisations.deleteOrganisation({ organisationId, confirmSlug });
const purgedServices = async () =>
  (await inspected())?.deletion?.services.filter(({ purgedAt }) => purgedAt).map(({ service }) => service);

/** `signer` announces that a service has purged the organisation. */
async function announcePurge(service: Service, signer: Service = service): Promise<void> {
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  const record = eventRecord(schemas[service], create(schemas[service], { organisationId }), facts);
  await streams.get(signer)?.publish([record]);
}

async function announcePipeline(owner: string): Promise<string> {
  const pipelineId = randomUUID();
  const message = create(PipelineCreatedSchema, { organisationId: owner, pipelineId, name: "Late" });
  const facts = { organisationId: owner, entityId: pipelineId, time: new Date() };
  await streams.get("training")?.publish([eventRecord(PipelineCreatedSchema, message, facts)]);
  return pipelineId;
}

const assetOf = (pipelineId: string) =>
  store.database.collection<{ _id: string }>("assets").findOne({ _id: pipelineId });
const recordOf = (pipelineId: string) => store.database.collection("audit_records").findOne({ entity_id: pipelineId });
/** Collections in which the organisation has a document. */
async function filledCollections(): Promise<string[]> {
  const names = await store.database.listCollections({}, { nameOnly: true }).toArray();
  const counts = names.map(async ({ name }) => {
    const found = await store.database.collection(name).findOne({ organisation_id: organisationId });
    return found === null ? [] : [name];
  });
  return (await Promise.all(counts)).flat().toSorted();
}

describe("deleting an organisation", () => {
  it("is the operator's, of a suspended organisation, whose slug is confirmed", async () => {
    const wanted = { organisationId, confirmSlug: slug };
    const missing = { code: Code.PermissionDenied, reason: "PERMISSION_MISSING" };
    expect(await failureOf(administration.acme.organisations.deleteOrganisation(wanted))).toMatchObject(missing);
    expect(await failureOf(administration.acme.organisations.inspectOrganisation(wanted))).toMatchObject(missing);
    const active = { code: Code.FailedPrecondition, reason: "ORGANISATION_NOT_SUSPENDED" };
    expect(await failureOf(deleteIt())).toMatchObject(active);
    const otherSlug = { code: Code.InvalidArgument, reason: "SLUG_NOT_CONFIRMED" };
    expect(await failureOf(deleteIt("globex"))).toMatchObject(otherSlug);
    expect(await inspected()).toMatchObject({ state: ACTIVE, slug });
  });

  it("keeps what identity has until every other service has purged the organisation", async () => {
    await administration.acme.roles.createRole({ name: "r", slug: "r", permissionIds: [] });
    await operator.organisations.suspendOrganisation({ organisationId });
    const [first, second] = await Promise.all([deleteIt(), deleteIt()]);
    expect(first).toEqual(second);
    expect(first.organisation).toMatchObject({ state: DELETING, slug });
    await announcePurge("content");
    await announcePurge("training");
    await eventually(async () => (await purgedServices())?.join() === "content,training");
    expect(await filledCollections()).toContain("members");
    expect(await inspected()).toMatchObject({ state: DELETING });
  });

  it("believes of a service only what it has signed itself", async () => {
    await announcePurge("deployments", "training");
    // Handled in their order: once the later one has had its effect, the one before it was heard.
    const handled = () =>
      store.database.collection<{ _id: string }>("inbox").countDocuments({ _id: /^identity-purged-/ });
    const before = await handled();
    await announcePurge("content");
    await eventually(async () => (await handled()) > before);
    expect(await purgedServices()).toEqual(["content", "training"]);
  });

  it("does not let the organisation be suspended or restored, and refuses its credentials", async () => {
    const gone = { code: Code.FailedPrecondition, reason: "ORGANISATION_DELETED" };
    expect(await failureOf(operator.organisations.restoreOrganisation({ organisationId }))).toMatchObject(gone);
    expect(await failureOf(operator.organisations.suspendOrganisation({ organisationId }))).toMatchObject(gone);
    const refused = failureOf(administration.acme.organisations.getOrganisation({}));
    expect(await refused).toMatchObject({ code: Code.PermissionDenied, reason: "ORGANISATION_SUSPENDED" });
  });

  it("ends with a tombstone that has no slug, once the last service has purged it", async () => {
    await announcePurge("deployments");
    await announcePurge("data");
    await eventually(async () => (await inspected())?.state === DELETED);
    expect(await inspected()).toMatchObject({ slug: "", name: "" });
    // Records of the installation, and the events that tell of the deletion.
    expect(await filledCollections()).toEqual(["audit_records", "deleted_organisations", "outbox"]);
    expect(await store.database.collection("outbox").countDocuments({ organisation_id: organisationId })).toBe(2);
    const records = await store.database
      .collection("audit_records")
      .find({ organisation_id: organisationId })
      .toArray();
    expect(records.every(({ installation }) => installation)).toBe(true);
    expect((await deleteIt("any")).organisation).toEqual(await inspected());
  });

  it("has removed from collections that identity declares, and there are no others", async () => {
    const declared = ownedCollections(identityIndexes).map(({ name }) => name);
    const named = await store.database.listCollections({}, { nameOnly: true }).toArray();
    const owning = named.map(async ({ name }) => {
      const found = await store.database.collection(name).findOne({ organisation_id: others });
      return found === null ? [] : [name];
    });
    const ofKit = ["outbox", "replays"];
    expect((await Promise.all(owning)).flat().filter((name) => ![...declared, ...ofKit].includes(name))).toEqual([]);
  });
});

describe("what is announced of a deleted organisation later", () => {
  it("becomes neither an asset nor an audit record, while that of others does", async () => {
    const late = await announcePipeline(organisationId);
    const other = await announcePipeline(others);
    await eventually(async () => (await assetOf(other)) && (await recordOf(other)));
    expect([await assetOf(late), await recordOf(late)]).toEqual([null, null]);
  });
});

describe("an installation without the data service, whose key identity does not know", () => {
  it("deletes an organisation without waiting for it", async () => {
    const known = JSON.parse(await readFile(administration.rig.config.SERVICE_KEYS_FILE, "utf8"));
    const without = { keys: known.keys.filter(({ kid }: { kid: string }) => !kid.startsWith("data")) };
    await using folder = await mkdtempDisposable(join(tmpdir(), "service-keys-"));
    const SERVICE_KEYS_FILE = join(folder.path, "service-keys.json");
    await writeFile(SERVICE_KEYS_FILE, JSON.stringify(without));
    await using own = await startAdministrationRig({ settings: { PURGE_SETTLE_MS: "1000", SERVICE_KEYS_FILE } });
    const { organisations } = own.operator;
    const { id = "", slug: confirmSlug = "" } = own.rig.acme.organisation ?? {};
    await organisations.suspendOrganisation({ organisationId: id });
    const { organisation } = await organisations.deleteOrganisation({ organisationId: id, confirmSlug });
    expect(organisation?.deletion?.services.map(({ service }) => service)).toEqual([
      "content",
      "deployments",
      "training",
    ]);
    const { NATS_URL: servers, NATS_STREAM: streamName } = own.rig.config;
    for (const service of ["content", "deployments", "training"] as const) {
      const options = { servers, streamName, name: `${service} of the tests`, keys: serviceKeys(service) };
      await using stream = await connectEventStream(options);
      await eventually(() => stream.incarnation() !== undefined);
      const facts = { organisationId: id, entityId: id, time: new Date() };
      await stream.publish([eventRecord(schemas[service], create(schemas[service], { organisationId: id }), facts)]);
    }
    const state = async () => (await organisations.inspectOrganisation({ organisationId: id })).organisation?.state;
    await eventually(async () => (await state()) === DELETED);
  }, 120_000);
});
