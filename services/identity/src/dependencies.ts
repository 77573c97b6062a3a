import type { ClientSession, Outbox, ReplayStore } from "@aiplatform/document-store";
import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import type { RandomBytes } from "./api-keys/api-key.ts";
import type { SecretHasher } from "./credentials/secret-hasher.ts";
import type { IdentityStores } from "./stores.ts";

/** What the operations work with; each picks what it needs. */
export interface IdentityDependencies extends IdentityStores {
  outbox: Pick<Outbox, "stage">;
  /** Answers of the requests that carried an idempotency key; see `replayable`. */
  replays: Pick<ReplayStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  /** Every permission there is. */
  catalogue: ReadonlySet<string>;
  hasher: SecretHasher;
  /** Asks others over HTTP: 10 s at most, 1 MiB at most, and in the allowed networks over plain http too. */
  outbound: GuardedFetch;
  clock: () => Date;
  newId: () => string;
  randomBytes: RandomBytes;
}

/** Who asks, as far as operations care. */
export interface Granter {
  organisationId: string;
  /** Absent when a key acts for itself. */
  memberId?: string;
  permissions: ReadonlySet<string>;
}
