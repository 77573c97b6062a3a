/**
 * Processor time of sealing and opening a text of 43 characters, with the data key in memory, as stored in a MongoDB of its own.
 *
 *     MONGODB_URI=mongodb://… node packages/sealed-secrets/bench/sealing.bench.ts [times, default 5,000]
 */
import { randomBytes, randomUUID } from "node:crypto";
import { connectDocumentStore, createIndexes } from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import { DataKeyStore, SealedSecrets } from "../src/index.ts";

const times = Number(process.argv[2] ?? 5_000);
const database = `bench_${randomUUID().slice(0, 8)}`;
const uri = process.env["MONGODB_URI"] ?? "mongodb://127.0.0.1:27017/?replicaSet=rs0";
await using store = await connectDocumentStore({ uri, database, appName: "bench" });
await createIndexes(store, [DataKeyStore.indexes]);
const secrets = new SealedSecrets({
  ring: [{ id: "bench", key: randomBytes(32) }],
  dataKeys: new DataKeyStore(store),
  clock: () => new Date(),
  newId: randomUUID,
});

async function measure(name: string, work: () => unknown): Promise<void> {
  for (let time = 0; time < times / 10; time++) await work();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) await work();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${name}: ${((user + system) / times).toFixed(1)} µs\n`);
}

const place = { organisationId: randomUUID(), recordId: randomUUID(), purpose: "bench" };
const token = randomBytes(32).toString("base64url");
const sealed = await secrets.seal(Buffer.from(token), place);
const opened = new LRUCache<string, string>({ max: 5_000 });
opened.set(sealed, token);
await measure("clear", () => token);
await measure("open", () => secrets.open(sealed, place));
await measure("opened before, from a cache", () => opened.get(sealed));
await measure("seal, which reads the data key from MongoDB", () => secrets.seal(Buffer.from(token), place));
await store.database.dropDatabase();
