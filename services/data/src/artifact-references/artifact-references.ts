/** What says which of an organisation's artifacts it refers to. */
export interface ReferringStore {
  artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]>;
}

/** Which artifacts are needed, whatever refers to them. */
export class ArtifactReferences {
  readonly #stores: readonly ReferringStore[];

  constructor(stores: readonly ReferringStore[]) {
    this.#stores = stores;
  }

  /** Those of the digests that something refers to. */
  async among(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const found = await Promise.all(this.#stores.map((store) => store.artifactsAmong(organisationId, digests)));
    return [...new Set(found.flat())];
  }
}
