import type { IndexPlan, Migration } from "@aiplatform/document-store";

/** A note as the previous version stores it. */
export interface OldNote {
  _id: string;
  organisation_id: string;
  length?: number;
}

/** Says of each note how long it is. */
const lengths: Migration = {
  version: 1,
  name: "lengths",
  kind: "required_backfill",
  batch: async ({ store, after = "", limit }) => {
    const notes = store.database.collection<OldNote>("notes");
    const found = await notes.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray();
    const updates = found
      .filter(({ length }) => length === undefined)
      .map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $set: { length: _id.length } } } }));
    if (updates.length > 0) await notes.bulkWrite(updates);
    return { documents: updates.length, after: found.length < limit ? undefined : found.at(-1)?._id };
  },
};

/** What the next version of the notes declares: the index of the previous one goes, and one of another kind takes its name. */
export const nextNotes: { indexes: IndexPlan[]; migrations: Migration[] } = {
  indexes: [
    {
      collection: "notes",
      owner: "organisation",
      indexes: [
        { name: "creation", key: { organisation_id: 1, length: 1, _id: 1 } },
        {
          name: "long",
          key: { length: 1 },
          partialFilterExpression: { length: { $gt: 100 } },
          isBuiltWhileServing: true,
        },
      ],
    },
  ],
  migrations: [lengths],
};
