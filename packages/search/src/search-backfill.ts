import { type Migration, translated } from "@aiplatform/document-store";
import { type SearchedCollection, searchFields } from "./searched-collection.ts";

/** Gives documents of versions before searches what they are found by. */
export function searchBackfill(collections: readonly SearchedCollection[]): Omit<Migration, "version"> {
  return {
    name: "search-words",
    kind: "backfill",
    batch: async ({ store, after = "0:", limit }) => {
      const separator = after.indexOf(":");
      const place = Number(after.slice(0, separator));
      const id = after.slice(separator + 1);
      const searched = collections[place];
      if (!searched) return { documents: 0 };
      const all = store.database.collection<{ _id: string }>(searched.collection);
      const read = Object.fromEntries(["search_words", searched.name, ...searched.texts].map((path) => [path, 1]));
      const query = all.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit, projection: read });
      const found = await translated(() => query.toArray());
      const updates = found
        .filter((document) => !("search_words" in document))
        .map((document) => ({
          updateOne: {
            // A newer version of the document has its own.
            filter: { _id: document._id, search_words: { $exists: false } },
            update: { $set: searchFields(searched, document) },
          },
        }));
      if (updates.length > 0) await translated(() => all.bulkWrite(updates, { ordered: false }));
      const last = found.length < limit ? undefined : found.at(-1);
      return { documents: updates.length, after: last ? `${place}:${last._id}` : `${place + 1}:` };
    },
  };
}
