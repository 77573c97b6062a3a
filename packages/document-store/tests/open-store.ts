import { randomUUID } from "node:crypto";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";

/** A database of the test's own, dropped with `await using`. */
export async function openStore(uri = process.env.TEST_MONGODB_URI ?? ""): Promise<DocumentStore> {
  const database = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const store = await connectDocumentStore({ uri, database, appName: "document-store-test" });
  const dispose = async () => {
    await store.database.dropDatabase();
    await store.close();
  };
  return { ...store, [Symbol.asyncDispose]: dispose };
}

export interface Entry {
  _id: string;
  job: string;
  position: number;
}

export function entry(job: string, position: number): Entry {
  return { _id: `${job}:${position}:${randomUUID()}`, job, position };
}

/** A log with one place per position, as the job log has. */
export async function openLog(store: DocumentStore) {
  const log = store.database.collection<Entry>("log");
  await log.createIndex({ job: 1, position: 1 }, { unique: true });
  return log;
}
