import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrganisationCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, eventRecord, inspectEventStream } from "@aiplatform/event-stream";
import { type Infra, startInfra } from "@aiplatform/local-platform";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepStoreLogins, type StoreLogins } from "../src/launcher/store-logins.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "logins-test-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const streamName = "aiplatform";
const secrets = () => join(directory, "secrets");
const start = (logins?: StoreLogins) => startInfra({ directory, env: {}, ...(logins && { logins: logins.servers }) });

/** The documents that training has, as its user, or without a login. */
async function stored({ mongodbUri }: Infra, logins?: StoreLogins): Promise<unknown[]> {
  const password = logins && (await readFile(logins.passwordFile("training"), "utf8"));
  await using client = new MongoClient(mongodbUri, password ? { auth: { username: "training", password } } : {});
  return await client.db("training").collection<{ _id: number }>("kept").find().toArray();
}

/** A document and an event, written as long as no login was asked for. */
async function writeWithoutLogins(): Promise<void> {
  await using parts = await start();
  await using client = new MongoClient(parts.mongodbUri);
  await client.db("training").collection<{ _id: number }>("kept").insertOne({ _id: 1 });
  await using stream = await connectEventStream({
    servers: parts.natsUrl,
    name: "identity",
    keys: serviceKeys("identity"),
    streamName,
  });
  const facts = { organisationId: "o", entityId: "o", time: new Date() };
  const record = eventRecord(OrganisationCreatedSchema, create(OrganisationCreatedSchema), facts);
  await eventually(async () => (await stream.publish([record]).catch(() => undefined)) !== undefined);
}

describe("an installation whose servers asked for no login", () => {
  it("has its documents and events still, on other ports too, when they ask for one", async () => {
    await writeWithoutLogins();
    const logins = await keepStoreLogins(secrets());
    await using parts = await start(logins);
    expect(await stored(parts, logins)).toEqual([{ _id: 1 }]);
    await expect(stored(parts)).rejects.toMatchObject({ codeName: "Unauthorized" });
    const nkey = await readFile(logins.nkeyFile("identity"), "utf8");
    const look = { servers: parts.natsUrl, streamName, timeoutMs: 5_000, user: "identity" };
    expect(await inspectEventStream({ ...look, login: { nkey } })).toMatchObject({ stream: { events: 1 } });
    await expect(inspectEventStream(look)).rejects.toMatchObject({ code: "AUTHORIZATION_VIOLATION" });
  });
});

describe("an installation that has lost its logins", () => {
  it("has its documents still, with the new ones", async () => {
    await writeWithoutLogins();
    await using lost = await start(await keepStoreLogins(secrets()));
    await lost.stop();
    await rm(secrets(), { recursive: true });
    const logins = await keepStoreLogins(secrets());
    await using parts = await start(logins);
    expect(await stored(parts, logins)).toEqual([{ _id: 1 }]);
  });
});

describe("a mongod with logins that is killed", () => {
  it("asks for them again", async () => {
    const logins = await keepStoreLogins(secrets());
    await using parts = await startInfra({ directory, env: {}, nats: false, logins: logins.servers });
    await parts.kill("mongodb");
    await parts.restart("mongodb");
    expect(await stored(parts, logins)).toEqual([]);
    await expect(stored(parts)).rejects.toMatchObject({ codeName: "Unauthorized" });
  });
});
