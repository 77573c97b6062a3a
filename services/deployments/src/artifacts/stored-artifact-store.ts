import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";

interface ArtifactDocument extends TenantDocument {
  sha256: string;
  size_bytes: number;
  is_stored: boolean;
  since: Date;
}

/** When the artifacts of an organisation, whose id is the document's, were compared with what is stored. */
interface CountDocument extends TenantDocument {
  counted_at: Date;
}

/** What an artifact takes. */
export interface ArtifactSize {
  sha256: string;
  sizeBytes: number;
  /** Whether its bytes have all arrived; if not, they may still come. */
  isStored: boolean;
  /** When this was last said of it. */
  since: Date;
}

const collection = "artifacts";
const counts = "artifact_counts";

/** The sizes of the artifacts that organisations have, or that are on their way. The bytes lie elsewhere. */
export class StoredArtifactStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "sizes", key: { organisation_id: 1, size_bytes: 1 } }],
  };
  static readonly countIndexes: IndexPlan = {
    collection: counts,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1 } }],
  };

  readonly #artifacts: TenantCollection<ArtifactDocument>;
  readonly #counts: TenantCollection<CountDocument>;

  constructor(store: DocumentStore) {
    this.#artifacts = new TenantCollection(store, collection);
    this.#counts = new TenantCollection(store, counts);
  }

  /** Bytes of all of the organisation's. */
  bytes(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#artifacts.sum(organisationId, {}, "$size_bytes", { session });
  }

  /** Undefined where nothing is known of it. */
  async sizeOf(organisationId: string, sha256: string, session: ClientSession): Promise<number | undefined> {
    const found = await this.#artifacts.findOne(
      organisationId,
      { _id: artifactDocumentId(organisationId, sha256) },
      { session },
    );
    return found?.size_bytes;
  }

  all(organisationId: string): AsyncIterable<ArtifactSize> {
    return sizesOf(this.#artifacts.each(organisationId, {}));
  }

  async put(
    organisationId: string,
    { sha256, sizeBytes, isStored, since }: ArtifactSize,
    session?: ClientSession,
  ): Promise<void> {
    const fields = { sha256, size_bytes: sizeBytes, is_stored: isStored, since };
    const filter = { _id: artifactDocumentId(organisationId, sha256) };
    await this.#artifacts.updateOne(organisationId, filter, { $set: fields }, { session, upsert: true });
  }

  /** Forgets it, unless something was said of it since then. */
  async forget(organisationId: string, sha256: string, until: Date): Promise<void> {
    const filter = { _id: artifactDocumentId(organisationId, sha256), since: { $lte: until } };
    await this.#artifacts.deleteOne(organisationId, filter);
  }

  async countedAt(organisationId: string): Promise<Date | undefined> {
    return (await this.#counts.findOne(organisationId, { _id: organisationId }))?.counted_at;
  }

  async setCounted(organisationId: string, time: Date): Promise<void> {
    const update = { $set: { counted_at: time } };
    await this.#counts.updateOne(organisationId, { _id: organisationId }, update, { upsert: true });
  }
}

/** Primary key of what is stored of an artifact. */
export function artifactDocumentId(organisationId: string, sha256: string): string {
  return `${organisationId}/${sha256}`;
}

async function* sizesOf(documents: AsyncIterable<ArtifactDocument>): AsyncGenerator<ArtifactSize> {
  for await (const { sha256, size_bytes: sizeBytes, is_stored: isStored, since } of documents) {
    yield { sha256, sizeBytes, isStored, since };
  }
}
