import { randomBytes, randomUUID } from "node:crypto";
import { connectDocumentStore, createIndexes, type DocumentStore } from "@aiplatform/document-store";
import { newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataKeyStore, dataKeyRewrap, SealedSecrets, SecretsKeyError, UnsealError } from "../src/index.ts";

let store: DocumentStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("identity");
  store = await connectDocumentStore({ uri, database, appName: "sealed secrets tests" });
  await createIndexes(store, [DataKeyStore.indexes]);
});
afterAll(async () => {
  await store.database.dropDatabase();
  await store.close();
});

const newKey = (id: string) => ({ id, key: randomBytes(32) });
const first = newKey("first");
const second = newKey("second");
const over = (...ring: (typeof first)[]) =>
  new SealedSecrets({ ring, dataKeys: new DataKeyStore(store), clock: () => new Date(), newId: randomUUID });
const place = { organisationId: "acme", recordId: "one", purpose: "tokens" };
const plain = Buffer.from("canary-plaintext");

describe("a sealed secret", () => {
  it("opens at its own place only, untouched only, and rests nowhere in clear", async () => {
    const secrets = over(first);
    await secrets.assertFits();
    const sealed = await secrets.seal(plain, place);
    await secrets.seal(plain, { ...place, organisationId: "globex" });
    expect(Buffer.from(await over(first).open(sealed, place))).toEqual(plain);
    for (const other of [{ organisationId: "globex" }, { recordId: "two" }, { purpose: "verifier" }]) {
      await expect(secrets.open(sealed, { ...place, ...other })).rejects.toBeInstanceOf(UnsealError);
    }
    const [header, iv, text, tag] = sealed.split(".");
    const tampered = [header, iv, `${text?.startsWith("A") ? "B" : "A"}${text?.slice(1)}`, tag].join(".");
    await expect(secrets.open(tampered, place)).rejects.toBeInstanceOf(UnsealError);
    const kept = JSON.stringify(await store.database.collection("data_keys").find().toArray());
    expect(`${kept}${sealed}`).not.toContain(plain.toString());
    expect(kept).not.toContain(first.key.toString("base64url"));
  });

  it("stays readable while and after its data key moves under a new key, whose predecessor may go then", async () => {
    const sealed = await over(first).seal(plain, place);
    const both = over(second, first);
    await both.assertFits();
    const [moved] = await Promise.all([
      both.rewrapAll(),
      ...Array.from({ length: 50 }, () => both.open(sealed, place)),
    ]);
    expect(moved).toBeGreaterThan(1);
    expect(await both.rewrapAll()).toBe(0);
    const later = over(second);
    await later.assertFits();
    expect(Buffer.from(await later.open(sealed, place))).toEqual(plain);
  });

  it("keeps a ring out that lacks the key in use, or has another by its name", async () => {
    for (const ring of [[newKey("third")], [newKey("second")], []]) {
      await expect(over(...ring).assertFits()).rejects.toBeInstanceOf(SecretsKeyError);
    }
  });

  it("has one data key for an organisation, however many ask at first", async () => {
    const organisationId = randomUUID();
    await Promise.all(Array.from({ length: 10 }, () => over(second).seal(plain, { ...place, organisationId })));
    expect(await store.database.collection("data_keys").countDocuments({ organisation_id: organisationId })).toBe(1);
  });
});

describe("the work that wraps data keys under the current key", () => {
  const told: object[] = [];
  const logger = { info: (about: object) => void told.push(about), warn: () => undefined };
  const running = new AbortController().signal;

  it("goes on while a data key cannot be wrapped, and is over once all are", async () => {
    const organisationId = randomUUID();
    await over(first).seal(plain, { ...place, organisationId });
    const without = dataKeyRewrap(over(second), { signal: running, logger });
    await expect(without.round(running)).rejects.toBeInstanceOf(SecretsKeyError);
    expect(without.signal.aborted).toBe(false);
    const { round, signal } = dataKeyRewrap(over(second, first), { signal: running, logger });
    await round(running);
    expect(signal.aborted).toBe(true);
    expect(told).toEqual([{ count: 1 }]);
  });

  it("is over when the service stops", () => {
    const stopping = new AbortController();
    const { signal } = dataKeyRewrap(over(second), { signal: stopping.signal, logger });
    stopping.abort();
    expect(signal.aborted).toBe(true);
  });
});
