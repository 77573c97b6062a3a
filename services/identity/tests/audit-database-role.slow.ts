import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { OrganisationState } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { clientsOver, identityEnvironment, operatorKey, showing } from "./identity-rig.ts";

const page = await readFile(join(import.meta.dirname, "../../../docs/operations/audit-log.md"), "utf8");
const [, recipe = ""] = /^```js\n([\s\S]*?)^```/m.exec(page) ?? [];
const password = randomUUID();
const cleanUp = new AsyncDisposableStack();
let address: string;
/** Signed in as the service does. */
let store: DocumentStore;
/** Signed in as the database's administrator. */
let root: DocumentStore;

const environment = () => ({
  ...identityEnvironment([]),
  ...{ MONGODB_URI: address, MONGODB_PASSWORD: password, MONGODB_DATABASE: "identity" },
});
const identity = () => ({ uri: address, database: "identity", password, appName: "identity tests" });

/** Clients of the operator, who shows the operator's key. */
function operatorOf(service: { addresses: { grpc: string } }, owner: AsyncDisposableStack) {
  const interceptors = [showing({ bearer: operatorKey })];
  const transport = createMeshTransport({ addresses: service.addresses.grpc, interceptors });
  owner.defer(() => transport.close());
  return clientsOver(transport);
}

/** Founds an organisation, as a first start is followed by. */
async function useIdentity(): Promise<void> {
  await using service = await startIdentityService(readConfig(environment()));
  await using owned = new AsyncDisposableStack();
  const administrator = { displayName: "Ada", email: "ada@acme.test", issuer: "https://issuer.test", subject: "ada" };
  const { organisations } = operatorOf(service, owned);
  const founded = await organisations.createOrganisation({ slug: `o${randomUUID()}`, name: "o", administrator });
  const headers = { authorization: `Bearer ${founded.apiKeySecret}` };
  const plain = createMeshTransport({ addresses: service.addresses.grpc });
  const role = { name: "r", slug: "r", permissionIds: [], idempotencyKey: randomUUID() };
  await createClient(RoleService, plain).createRole(role, { headers });
  const database = await connectDocumentStore(identity());
  const records = database.database.collection("audit_records");
  const organisationId = founded.organisation?.id ?? "";
  await eventually(async () => (await records.find({ organisation_id: organisationId }).toArray()).length === 2);
  await database.close();
  plain.close();
}

/** Runs the page's lines as an administrator: the helpers of `mongosh` send these commands. */
async function followPage(): Promise<void> {
  const collections = await root.database.listCollections({}, { nameOnly: true }).toArray();
  const commands: Record<string, unknown>[] = [];
  const shell = {
    getCollectionNames: () => collections.map(({ name }) => name),
    createRole: ({ role, ...rest }: { role: string }) => commands.push({ createRole: role, ...rest }),
    updateUser: (user: string, change: object) => commands.push({ updateUser: user, ...change }),
  };
  runInNewContext(recipe, { db: { getSiblingDB: () => shell } });
  for (const command of commands) await root.client.db("admin").command(command);
}

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "audit-role-"));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  const keyFile = join(directory, "key");
  await writeFile(keyFile, randomBytes(96).toString("base64"), { mode: 0o400 });
  // The users as `npm start`, k8s/components/data-stores and k8s/data-stores make them.
  const users = [
    { name: "admin", password, roles: [{ role: "root", db: "admin" }] },
    { name: "identity", password, roles: [{ role: "readWrite", db: "identity" }] },
  ];
  const logins = { mongodb: { keyFile, users }, nats: "" };
  const env = { ...process.env, MONGODB_URI: undefined };
  const parts = await startInfra({ directory, nats: false, logins, env });
  cleanUp.defer(() => parts.stop());
  address = parts.mongodbUri;
  await useIdentity();
  const uri = address.replace("mongodb://", `mongodb://admin:${password}@`).replace("?", "?authSource=admin&");
  root = cleanUp.use(await connectDocumentStore({ uri, database: "identity", appName: "identity tests" }));
  await followPage();
  store = cleanUp.use(await connectDocumentStore(identity()));
}, 120_000);
afterAll(() => cleanUp.disposeAsync());

describe("identity, signed in as it is shipped, once the lines of the page gave its user another role", () => {
  it("does all that it does without", async () => {
    await useIdentity();
  });

  it.each<[string, (records: ReturnType<DocumentStore["database"]["collection"]>) => Promise<unknown>]>([
    ["update", (records) => records.updateMany({}, { $set: { action: "forged" } })],
    ["replace", (records) => records.findOneAndReplace({}, { action: "forged" })],
    ["delete", (records) => records.deleteMany({})],
    ["drop", (records) => records.drop()],
    ["rename", (records) => records.rename("elsewhere")],
    ["drop an index of", (records) => records.dropIndex("time")],
    ["change the rules of", () => store.database.command({ collMod: "audit_records", validator: {} })],
  ])("cannot %s the audit log, whatever it tries", async (_title, attempt) => {
    const records = store.database.collection("audit_records");
    const before = await records.find().toArray();
    await expect(attempt(records)).rejects.toMatchObject({ codeName: "Unauthorized" });
    expect(await records.find().toArray()).toEqual(before);
  });

  it("deletes an organisation when the administrator has removed its records, and waits until then", async () => {
    await using owned = new AsyncDisposableStack();
    const env = { ...environment(), PURGE_SETTLE_MS: "1000" };
    const { organisations } = operatorOf(owned.use(await startIdentityService(readConfig(env))), owned);
    const slug = `o${randomUUID()}`;
    const administrator = { displayName: "Ada", email: "ada@acme.test" };
    const { organisation } = await organisations.createOrganisation({ slug, name: "o", administrator });
    const organisationId = organisation?.id ?? "";
    const records = root.database.collection<{ _id: string; organisation_id: string }>("audit_records");
    const theirs = { organisation_id: organisationId, installation: { $ne: true } };
    await records.insertOne({ _id: randomUUID(), organisation_id: organisationId });
    await organisations.suspendOrganisation({ organisationId });
    await organisations.deleteOrganisation({ organisationId, confirmSlug: slug });
    // As the other services would say.
    const purged = { content: new Date(), data: new Date(), deployments: new Date(), training: new Date() };
    const update = { $set: { "deletion.purged_at": purged } };
    await root.database.collection<{ _id: string }>("organisations").updateOne({ _id: organisationId }, update);
    const purges = root.database.collection<{ _id: string; failures: number }>("deleted_organisations");
    await eventually(async () => ((await purges.findOne({ _id: organisationId }))?.failures ?? 0) > 0);
    expect(await records.countDocuments(theirs)).toBe(1);
    await records.deleteMany(theirs);
    const inspected = async () => (await organisations.inspectOrganisation({ organisationId })).organisation;
    await eventually(async () => (await inspected())?.state === OrganisationState.DELETED);
  });
});
