import { type DocumentStore, TenantCollection, type TenantDocument } from "@aiplatform/document-store";

/** A collection in which each document of a run has the run's id at the beginning of its primary key, and what follows it there. */
const collections = [
  { name: "job_snapshots", separator: ":" },
  { name: "metric_names", separator: ":" },
  { name: "metric_buckets", separator: "/" },
  { name: "run_values", separator: "/" },
  { name: "log_batches", separator: "/" },
  { name: "run_media", separator: "/" },
  { name: "media_names", separator: ":" },
] as const;
const log = { name: "job_log", separator: ":" } as const;

/** Documents that are removed by one command. */
const removedAtOnce = 500;

interface Keyed {
  readonly name: string;
  readonly separator: ":" | "/";
}

/** Log entries say whether their events are published. */
interface RunDocument extends TenantDocument {
  published?: boolean;
}

/** Everything that is stored of a run besides the run itself. */
export class RunData {
  readonly #store: DocumentStore;

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /**
   * Removes it, batch by batch. It may be ended and repeated at any place. The log stays while events of it wait to be published:
   * they are made of it. Answers whether it had to. @throws the reason of `signal` once that is aborted
   */
  async remove(organisationId: string, runId: string, signal: AbortSignal): Promise<{ isUnpublished: boolean }> {
    for (const collection of collections) await this.#removeFrom(collection, organisationId, runId, signal);
    const unpublished = { ...rangeOf(log, runId), published: false };
    const isUnpublished = (await this.#documents(log).findOne(organisationId, unpublished)) !== undefined;
    if (!isUnpublished) await this.#removeFrom(log, organisationId, runId, signal);
    return { isUnpublished };
  }

  async #removeFrom(collection: Keyed, organisationId: string, runId: string, signal: AbortSignal): Promise<void> {
    const documents = this.#documents(collection);
    const filter = rangeOf(collection, runId);
    const options = { sort: { _id: 1 }, limit: removedAtOnce, only: ["_id"] } as const;
    for (;;) {
      signal.throwIfAborted();
      const found = await documents.find(organisationId, filter, options);
      if (found.length === 0) return;
      await documents.deleteMany(organisationId, { _id: { $in: found.map(({ _id }) => _id) } });
    }
  }

  #documents({ name }: Keyed): TenantCollection<RunDocument> {
    return new TenantCollection(this.#store, name);
  }
}

/** All keys that begin with the run's id and the separator. */
function rangeOf({ separator }: Keyed, runId: string) {
  const next = String.fromCharCode(separator.charCodeAt(0) + 1);
  return { _id: { $gt: `${runId}${separator}`, $lt: `${runId}${next}` } };
}
