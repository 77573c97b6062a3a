import { randomUUIDv7 } from "node:crypto";
import type { Collection, Db } from "mongodb";
import { translated } from "./errors.ts";

interface ReplicaLeasesDocument {
  _id: string;
  replicas?: { id: string; expires_at: Date }[];
}

/** A lease that is lost costs work that is done twice, nothing else. */
const unjournalled = { writeConcern: { w: 1, journal: false } } as const;

/**
 * Leases of the replicas that share some work, in one document, by the database's clock. All replicas that read the same list
 * derive the same shares from it.
 */
export class ReplicaLeases {
  /** This replica's. The one that began first sorts first. */
  readonly id: string = randomUUIDv7();
  readonly #states: Collection<ReplicaLeasesDocument>;
  readonly #work: string;

  constructor(database: Db, work: string) {
    this.#states = database.collection("outbox_state");
    this.#work = `replicas:${work}`;
  }

  /** Takes or extends this replica's lease, and answers every replica that has one, sorted. */
  async renew(leaseMs: number): Promise<readonly string[]> {
    const isOther = { $and: [{ $gt: ["$$this.expires_at", "$$NOW"] }, { $ne: ["$$this.id", this.id] }] };
    const others = { $filter: { input: { $ifNull: ["$replicas", []] }, cond: isOther } };
    // Versions from before the collection `schema` do not say so.
    const own = [{ id: this.id, is_registered: true, expires_at: { $add: ["$$NOW", leaseMs] } }];
    const renewed = await translated(() =>
      this.#states.findOneAndUpdate({ _id: this.#work }, [{ $set: { replicas: { $concatArrays: [others, own] } } }], {
        upsert: true,
        returnDocument: "after",
        ...unjournalled,
      }),
    );
    return (renewed?.replicas ?? []).map(({ id }) => id).toSorted();
  }

  /** Gives the lease up. */
  async release(): Promise<void> {
    const update = { $pull: { replicas: { id: this.id } } };
    await translated(() => this.#states.updateOne({ _id: this.#work }, update, unjournalled));
  }
}
