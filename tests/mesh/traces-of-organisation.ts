import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { BSON, type Document, MongoClient } from "mongodb";

/** The services that have a database, which is called like them. */
export const databases = ["identity", "training", "content", "deployments", "data"] as const;

/** The documents of all databases in which an organisation's id stands anywhere, by `database.collection`. */
export async function documentsNaming(mongodbUri: string, organisationId: string): Promise<Map<string, Document[]>> {
  await using client = await MongoClient.connect(mongodbUri);
  const found = new Map<string, Document[]>();
  for (const database of databases) {
    for (const { name } of await client.db(database).listCollections({}, { nameOnly: true }).toArray()) {
      for await (const document of client.db(database).collection(name).find()) {
        // As bytes: also in texts and messages that a document has inside.
        if (!Buffer.from(BSON.serialize(document)).includes(organisationId)) continue;
        const place = `${database}.${name}`;
        found.set(place, [...(found.get(place) ?? []), document]);
      }
    }
  }
  return found;
}

/** Files and folders below a directory whose path names the organisation. */
export async function pathsNaming(directory: string, organisationId: string): Promise<string[]> {
  const paths = await readdir(join(directory), { recursive: true });
  return paths.filter((path) => path.includes(organisationId));
}
