/**
 * Processor time of sealing and opening a text of 43 characters, with the data key in memory, as stored in a MongoDB of its own.
 *
 *     MONGODB_URI=mongodb://… node packages/sealed-secrets/bench/sealing.bench.ts [--rounds 5]
 */
import { randomBytes, randomUUID } from "node:crypto";
import { connectDocumentStore, createIndexes } from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { DataKeyStore, SealedSecrets } from "../src/index.ts";

const wholeRound = 5_000;

export const sealing: Bench = {
  title: "Sealing and opening a text of 43 characters",
  async measure({ rounds, share }) {
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
    const place = { organisationId: randomUUID(), recordId: randomUUID(), purpose: "bench" };
    const token = randomBytes(32).toString("base64url");
    const sealed = await secrets.seal(Buffer.from(token), place);
    const opened = new LRUCache<string, string>({ max: 5_000 });
    opened.set(sealed, token);
    try {
      return await cpuOfCalls(
        { rounds, calls: Math.ceil(wholeRound * share) },
        {
          clear: () => token,
          open: () => secrets.open(sealed, place),
          "opened before, from a cache": () => opened.get(sealed),
          "seal, which reads the data key from MongoDB": () => secrets.seal(Buffer.from(token), place),
        },
      );
    } finally {
      await store.database.dropDatabase();
    }
  },
};

if (import.meta.main) await runBench(sealing);
