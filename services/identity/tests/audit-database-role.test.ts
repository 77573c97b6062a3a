import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrganisationState } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { type Infra, startInfra } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { clientsOver, identityEnvironment, operatorKey, showing } from "./identity-rig.ts";

/** As docs/operations/audit-log.md has it. */
const add = ["find", "insert", "createIndex", "listIndexes"];
const change = [...add, "update", "remove"];
const password = randomUUID();
const cleanUp = new AsyncDisposableStack();
let directory: string;
let address: string;
/** Signed in with the service's role. */
let store: DocumentStore;
/** Signed in as the database's administrator. */
let root: DocumentStore;

const environment = (uri: string) => ({ ...identityEnvironment([]), MONGODB_URI: uri, MONGODB_DATABASE: "identity" });
const signedIn = (user: string, source: string) => {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  url.searchParams.set("authSource", source);
  return url.href;
};

/** Clients of the operator, who shows the operator's key. */
function operatorOf(service: { addresses: { grpc: string } }, owner: AsyncDisposableStack) {
  const interceptors = [showing({ bearer: operatorKey })];
  const transport = createMeshTransport({ addresses: service.addresses.grpc, interceptors });
  owner.defer(() => transport.close());
  return clientsOver(transport);
}

/** Founds an organisation, as a first start is followed by. */
async function useIdentity(uri: string): Promise<void> {
  await using service = await startIdentityService(readConfig(environment(uri)));
  await using owned = new AsyncDisposableStack();
  const administrator = { displayName: "Ada", email: "ada@acme.test", issuer: "https://issuer.test", subject: "ada" };
  const { organisations } = operatorOf(service, owned);
  const founded = await organisations.createOrganisation({ slug: `o${randomUUID()}`, name: "o", administrator });
  const headers = { authorization: `Bearer ${founded.apiKeySecret}` };
  const plain = createMeshTransport({ addresses: service.addresses.grpc });
  const role = { name: "r", slug: "r", permissionIds: [], idempotencyKey: randomUUID() };
  await createClient(RoleService, plain).createRole(role, { headers });
  const database = await connectDocumentStore({ uri, database: "identity", appName: "identity tests" });
  const records = database.database.collection("audit_records");
  const organisationId = founded.organisation?.id ?? "";
  await eventually(async () => (await records.find({ organisation_id: organisationId }).toArray()).length === 2);
  await database.close();
  plain.close();
}

/** The same server on the same data, which from now on lets no client in without a password. */
async function restartWithAccessControl(parts: Infra): Promise<ChildProcess> {
  const { spawnfile = "", spawnargs = [] } = parts.processes.mongodb ?? {};
  await parts.kill("mongodb", "SIGTERM");
  const key = join(directory, "key");
  await writeFile(key, randomBytes(96).toString("base64"), { mode: 0o400 });
  return spawn(spawnfile, [...spawnargs.slice(1), "--auth", "--keyFile", key], { stdio: "ignore" });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "audit-role-"));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  const parts = await startInfra({ directory, nats: false, env: { ...process.env, MONGODB_URI: undefined } });
  cleanUp.defer(() => parts.stop());
  address = parts.mongodbUri;
  await useIdentity(address);
  await using open = await connectDocumentStore({ uri: address, database: "admin", appName: "identity tests" });
  await open.database.command({ createUser: "root", pwd: password, roles: ["root"] });
  const mongod = await restartWithAccessControl(parts);
  cleanUp.defer(async () => {
    mongod.kill();
    await once(mongod, "exit");
  });
  const uri = signedIn("root", "admin");
  root = cleanUp.use(await connectDocumentStore({ uri, database: "identity", appName: "identity tests" }));
  const collections = await root.database.listCollections({}, { nameOnly: true }).toArray();
  const privileges = collections
    .filter(({ name }) => !name.startsWith("system."))
    .map(({ name: collection }) => ({
      resource: { db: "identity", collection },
      actions: collection === "audit_records" ? add : change,
    }));
  await root.database.command({ createRole: "identityService", privileges, roles: [] });
  await root.database.command({ createUser: "identity", pwd: password, roles: ["identityService"] });
  const database = { uri: signedIn("identity", "identity"), database: "identity", appName: "identity tests" };
  store = cleanUp.use(await connectDocumentStore(database));
}, 120_000);
afterAll(() => cleanUp.disposeAsync());

describe("identity signed in with the role that operators are told to give it", () => {
  it("does all that it does without", async () => {
    await useIdentity(signedIn("identity", "identity"));
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
    const env = { ...environment(signedIn("identity", "identity")), PURGE_SETTLE_MS: "1000" };
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
    const purged = { content: new Date(), deployments: new Date(), training: new Date() };
    const update = { $set: { "deletion.purged_at": purged } };
    await root.database.collection<{ _id: string }>("organisations").updateOne({ _id: organisationId }, update);
    const purges = root.database.collection<{ _id: string; failures: number }>("deleted_organisations");
    await eventually(async () => ((await purges.findOne({ _id: organisationId }))?.failures ?? 0) > 0);
    expect(await records.countDocuments(theirs)).toBe(1);
    await records.deleteMany(theirs);
    const inspected = async () => (await organisations.inspectOrganisation({ organisationId })).organisation;
    await eventually(async () => (await inspected())?.state === OrganisationState.DELETED);
  });

  it("has what the manual lists", async () => {
    const manual = await readFile(join(import.meta.dirname, "../../../docs/operations/audit-log.md"), "utf8");
    expect(manual).toContain(`const add = ${JSON.stringify(add).replaceAll(",", ", ")};`);
    expect(manual).toContain(`const change = [...add, "update", "remove"];`);
  });
});
