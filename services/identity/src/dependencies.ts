import type { ClientSession, Outbox, ReplayStore } from "@aiplatform/document-store";
import type { RandomBytes } from "./api-keys/api-key.ts";
import type { ApiKeyStore } from "./api-keys/api-key-store.ts";
import type { AuditRecordStore } from "./audit/audit-record-store.ts";
import type { SecretHasher } from "./credentials/secret-hasher.ts";
import type { MemberStore } from "./members/member-store.ts";
import type { OrganisationStore } from "./organisations/organisation-store.ts";
import type { RoleStore } from "./roles/role-store.ts";

/** What the operations work with; each picks what it needs. */
export interface IdentityDependencies {
  organisations: OrganisationStore;
  members: MemberStore;
  roles: RoleStore;
  apiKeys: ApiKeyStore;
  auditRecords: AuditRecordStore;
  outbox: Pick<Outbox, "stage">;
  /** Answers of the requests that carried an idempotency key; see `replayable`. */
  replays: Pick<ReplayStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  /** Every permission there is. */
  catalogue: ReadonlySet<string>;
  hasher: SecretHasher;
  clock: () => Date;
  newId: () => string;
  randomBytes: RandomBytes;
}

/** Who asks, as far as operations care. */
export interface Granter {
  organisationId: string;
  permissions: ReadonlySet<string>;
}
