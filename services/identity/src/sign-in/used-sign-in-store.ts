import {
  type Collection,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  translated,
} from "@aiplatform/document-store";

interface UsedSignInDocument {
  /** Keyed hash of the state. */
  _id: string;
  expires_at: Date;
}

const collection = "used_sign_ins";

/** Sign-ins that a browser has come back with, until they would have ended: each is good once, at whichever replica. */
export class UsedSignInStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "installation",
    indexes: [{ name: "retention", key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  };

  readonly #used: Collection<UsedSignInDocument>;

  constructor({ database }: DocumentStore) {
    this.#used = database.collection<UsedSignInDocument>(collection);
  }

  /** Answers whether this is the first use: of two at once, one is. */
  async take(stateHash: string, expiresAt: Date): Promise<boolean> {
    try {
      await translated(() => this.#used.insertOne({ _id: stateHash, expires_at: expiresAt }));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
