import { type Count, countOf, failureWindowSeconds, type SourceCounts } from "@aiplatform/caller-identity";
import { type DocumentStore, type IndexPlan, translated } from "@aiplatform/document-store";
import { RateLimiterMongo } from "rate-limiter-flexible";

const collection = "failed_credentials";

/** Bad credentials by the address that they came from, of all organisations, services and replicas. */
export class FailedCredentialStore implements SourceCounts {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "installation",
    indexes: [
      { name: "source", key: { key: 1 }, unique: true },
      { name: "expiry", key: { expire: 1 }, expireAfterSeconds: 0 },
    ],
  };

  readonly #counts: RateLimiterMongo;

  constructor({ database }: DocumentStore) {
    this.#counts = new RateLimiterMongo({
      storeClient: database,
      tableName: collection,
      keyPrefix: "",
      disableIndexesCreation: true,
      points: Number.MAX_SAFE_INTEGER,
      duration: failureWindowSeconds,
    });
  }

  async read(source: string): Promise<Count> {
    return countOf(await translated(() => this.#counts.get(source)));
  }

  async add(source: string): Promise<Count> {
    return countOf(await translated(() => this.#counts.penalty(source)));
  }
}
