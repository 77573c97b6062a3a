import {
  type ClientSession,
  type DocumentStore,
  type HeldLease,
  type IndexPlan,
  Leases,
  type LeaseTerm,
  TenantCollection,
  type TenantDocument,
  type TenantFilter,
} from "@aiplatform/document-store";
import { artifactDocumentId as idOf } from "./stored-artifact-store.ts";

/** What collecting keeps of an artifact, in the document of its size. All of it is absent in those of earlier versions. */
interface MarkedDocument extends TenantDocument {
  sha256: string;
  size_bytes: number;
  is_stored: boolean;
  /** When it was last asked for what refers to it. */
  checked_at?: Date;
  /** Since when nothing is known to refer to it; absent: something did, or it was used since. */
  unreferenced_since?: Date;
  /** It is being removed, by that pass. */
  removal?: { pass: string; began_at: Date };
}

/** When the artifacts of an organisation are due to be collected, beside when they were counted. */
interface DueDocument extends TenantDocument {
  collector?: string | null;
  collect_at?: Date;
  collect_failures?: number;
}

/** An artifact that nothing refers to. */
export interface UnreferencedArtifact {
  sha256: string;
  sizeBytes: number;
  since: Date;
}

/** The artifact is being removed: who wants it uploads it again once it is gone. */
export class ArtifactRemovalError extends Error {
  override name = "ArtifactRemovalError";
  constructor() {
    super("The artifact was unused for long and is being removed. Upload it again in a moment");
  }
}

const artifacts = "artifacts";
const counts = "artifact_counts";

/**
 * Marks on artifacts that nothing refers to. A mark is taken away by whatever is about to rely on the artifact, and an artifact is removed
 * only under a mark that is as old as the retention: what was used a moment ago is safe until then.
 */
export class ArtifactMarkStore {
  static readonly indexes: IndexPlan = {
    collection: artifacts,
    owner: "organisation",
    indexes: [
      { name: "checked", key: { organisation_id: 1, is_stored: 1, checked_at: 1 } },
      {
        name: "unreferenced",
        key: { organisation_id: 1, unreferenced_since: 1 },
        partialFilterExpression: { unreferenced_since: { $exists: true } },
      },
      {
        name: "removal",
        key: { organisation_id: 1, "removal.began_at": 1 },
        partialFilterExpression: { removal: { $exists: true } },
      },
    ],
  };
  static readonly dueIndexes: IndexPlan = {
    collection: counts,
    owner: "organisation",
    indexes: [{ name: "collection", key: { organisation_id: 1, collect_at: 1 } }],
  };

  /** Who collects the artifacts of which organisation. */
  readonly leases: Leases<DueDocument, string>;
  readonly #artifacts: TenantCollection<MarkedDocument>;
  readonly #due: TenantCollection<DueDocument>;
  readonly #now: () => Date;

  constructor(store: DocumentStore) {
    this.#artifacts = new TenantCollection(store, artifacts);
    this.#due = new TenantCollection(store, counts);
    this.#now = store.now;
    this.leases = new Leases(store, {
      collection: counts,
      fields: { holder: "collector", expiresAt: "collect_at", failures: "collect_failures" },
      wanted: {},
      read: ({ organisation_id }) => organisation_id,
    });
  }

  /** Takes the lease of an organisation, due or not; undefined while its artifacts are being collected. */
  async take(organisationId: string, term: LeaseTerm): Promise<HeldLease | undefined> {
    const isFree = { $or: [{ collector: null }, { collect_at: { $not: { $gt: this.#now() } } }] };
    const taken = { $set: this.leases.taken(term) };
    const isTaken = await this.#due.updateOne(organisationId, { _id: organisationId, ...isFree }, taken);
    return isTaken ? { organisationId, id: organisationId, holder: term.holder, failures: 0 } : undefined;
  }

  /** Takes the mark away, before something relies on the artifact. @throws ArtifactRemovalError */
  async use(organisationId: string, sha256: string): Promise<void> {
    const one = { _id: idOf(organisationId, sha256) };
    const found = await this.#artifacts.findOne(organisationId, one, { only: ["unreferenced_since", "removal"] });
    if (found?.removal) throw new ArtifactRemovalError();
    if (!found?.unreferenced_since) return;
    const unmarked = { $unset: { unreferenced_since: "" as const } };
    const isUsable = await this.#artifacts.updateOne(organisationId, { ...one, removal: { $exists: false } }, unmarked);
    if (!isUsable) throw new ArtifactRemovalError();
  }

  /** Stored artifacts that were not checked since then, the longest ago first. */
  async unchecked(organisationId: string, since: Date, limit: number): Promise<{ sha256: string }[]> {
    const filter = { is_stored: true, checked_at: { $not: { $gt: since } }, removal: { $exists: false } };
    return this.#artifacts.find(organisationId, filter, { sort: { checked_at: 1 }, limit, only: ["sha256"] });
  }

  /** Notes what a check has shown. */
  async check(
    organisationId: string,
    found: { referenced: readonly { sha256: string }[]; unreferenced: readonly { sha256: string }[] },
    now: Date,
  ): Promise<void> {
    const of = (some: readonly { sha256: string }[]) => ({
      _id: { $in: some.map((each) => idOf(organisationId, each.sha256)) },
    });
    await this.#artifacts.updateEach(organisationId, [
      { filter: of(found.referenced), update: { $set: { checked_at: now }, $unset: { unreferenced_since: "" } } },
      { filter: of(found.unreferenced), update: { $set: { checked_at: now } } },
      {
        filter: { ...of(found.unreferenced), unreferenced_since: { $exists: false } },
        update: { $set: { unreferenced_since: now } },
      },
    ]);
  }

  /** Stored artifacts that nothing has referred to since before then, the longest first. */
  unreferenced(organisationId: string, before: Date, limit: number): Promise<UnreferencedArtifact[]> {
    return this.#find(organisationId, { ...markedBefore(before) }, limit);
  }

  /** Begins to remove those that are still marked as before: from now on none of them can be used. Answers which. */
  async beginRemoval(
    organisationId: string,
    digests: readonly { sha256: string }[],
    { pass, before, now }: { pass: string; before: Date; now: Date },
  ): Promise<UnreferencedArtifact[]> {
    const ids = digests.map(({ sha256 }) => idOf(organisationId, sha256));
    const begun = { $set: { removal: { pass, began_at: now } } };
    await this.#artifacts.updateEach(organisationId, [
      { filter: { _id: { $in: ids }, ...markedBefore(before) }, update: begun },
    ]);
    return this.#find(organisationId, { _id: { $in: ids }, "removal.pass": pass }, ids.length);
  }

  /** Those whose removal began before then and was not ended: by a process that is gone. */
  leftInRemoval(organisationId: string, before: Date, limit: number): Promise<UnreferencedArtifact[]> {
    return this.#find(organisationId, { "removal.began_at": { $lte: before } }, limit);
  }

  /** Those of the artifacts whose removal began and was not ended. */
  inRemoval(organisationId: string, digests: readonly { sha256: string }[]): Promise<UnreferencedArtifact[]> {
    const ids = digests.map(({ sha256 }) => idOf(organisationId, sha256));
    return this.#find(organisationId, { _id: { $in: ids }, removal: { $exists: true } }, ids.length);
  }

  /** Removes them not, after all. */
  async spare(organisationId: string, digests: readonly { sha256: string }[]): Promise<void> {
    const filter = { _id: { $in: digests.map(({ sha256 }) => idOf(organisationId, sha256)) } };
    await this.#artifacts.updateEach(organisationId, [
      { filter, update: { $unset: { removal: "", unreferenced_since: "" } } },
    ]);
  }

  /** Nothing has happened to their bytes: they can be used again until the next pass, under the mark that they had. */
  async cancelRemoval(organisationId: string, digests: readonly { sha256: string }[]): Promise<void> {
    const filter = { _id: { $in: digests.map(({ sha256 }) => idOf(organisationId, sha256)) } };
    await this.#artifacts.updateEach(organisationId, [{ filter, update: { $unset: { removal: "" } } }]);
  }

  /** Forgets artifacts whose bytes are gone: they count no longer, and can be uploaded again. */
  async endRemoval(
    organisationId: string,
    digests: readonly { sha256: string }[],
    session: ClientSession,
  ): Promise<void> {
    const ids = digests.map(({ sha256 }) => idOf(organisationId, sha256));
    await this.#artifacts.deleteMany(organisationId, { _id: { $in: ids }, removal: { $exists: true } }, { session });
  }

  async #find(
    organisationId: string,
    filter: TenantFilter<MarkedDocument>,
    limit: number,
  ): Promise<UnreferencedArtifact[]> {
    if (limit === 0) return [];
    const found = await this.#artifacts.find(organisationId, filter, { sort: { unreferenced_since: 1 }, limit });
    return found.map(({ sha256, size_bytes: sizeBytes, unreferenced_since: since = new Date(0) }) => {
      return { sha256, sizeBytes, since };
    });
  }
}

function markedBefore(before: Date) {
  return { is_stored: true, unreferenced_since: { $lte: before }, removal: { $exists: false } };
}
