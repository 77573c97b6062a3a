import { type Collection, type DocumentStore, type IndexPlan, upserted } from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import type { JobKey } from "../job-log/job-entry.ts";

/** The names under which a job has ever reported something, archived ones as well. */
interface JobNames {
  /** `<run>:<job>`; ids of runs are unique over all organisations. */
  _id: string;
  organisation_id: string;
  names: string[];
}

/** Which names, and how many of them a job may have. */
interface JobNameOptions {
  collection: string;
  maxNames: number;
}

/** Bytes of names kept in memory, roughly. */
const maxCachedBytes = 32 * 1024 * 1024;

/** Which names each job has. Names are only ever added, so those in the cache never become wrong, at most too few. */
export class JobNameStore {
  static indexesOf(collection: string): IndexPlan {
    return { collection, owner: "organisation", indexes: [{ name: "organisation", key: { organisation_id: 1 } }] };
  }

  readonly #names: Collection<JobNames>;
  readonly #maxNames: number;
  readonly #cache = new LRUCache<string, ReadonlySet<string>>({
    maxSize: maxCachedBytes,
    sizeCalculation: (names) => [...names].reduce((bytes, name) => bytes + 2 * name.length + 64, 64),
  });

  constructor(store: DocumentStore, { collection, maxNames }: JobNameOptions) {
    this.#names = store.database.collection<JobNames>(collection);
    this.#maxNames = maxNames;
  }

  /** The job's names as far as this replica knows them. */
  known({ organisationId, runId, jobName }: JobKey): ReadonlySet<string> {
    return this.#cache.get(`${organisationId}:${runId}:${jobName}`) ?? new Set();
  }

  /** Adds all the names, or none of them if they would be too many; resolves with what the job has then. */
  async add({ organisationId, runId, jobName }: JobKey, names: readonly string[]): Promise<ReadonlySet<string>> {
    const before = { $ifNull: ["$names", []] };
    // A literal, or a name that begins with $ would be read as a field.
    const after = { $setUnion: [before, { $literal: names }] };
    const bounded = { $cond: [{ $lte: [{ $size: "$$after" }, this.#maxNames] }, "$$after", before] };
    const stored = await upserted(() =>
      this.#names.findOneAndUpdate(
        { _id: `${runId}:${jobName}`, organisation_id: organisationId },
        [{ $set: { names: { $let: { vars: { after }, in: bounded } } } }],
        { upsert: true, returnDocument: "after", projection: { names: 1 } },
      ),
    );
    const has = new Set(stored?.names);
    this.#cache.set(`${organisationId}:${runId}:${jobName}`, has);
    return has;
  }
}
