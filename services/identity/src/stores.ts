import { type DocumentStore, type IndexPlan, KeyedMutex, type Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { DataKeyStore } from "@aiplatform/sealed-secrets";
import { searchBackfill } from "@aiplatform/search";
import { ApiKeyStore } from "./api-keys/api-key-store.ts";
import { AssetStore } from "./assets/asset-store.ts";
import { AuditRecordStore } from "./audit-records/audit-record-store.ts";
import { FailedCredentialStore } from "./credentials/failed-credential-store.ts";
import { DelegationStore } from "./delegations/delegation-store.ts";
import { ExternalLinkStore } from "./external-links/external-link-store.ts";
import { MemberStore } from "./members/member-store.ts";
import { OrganisationStore } from "./organisations/organisation-store.ts";
import { RoleStore } from "./roles/role-store.ts";
import { identitySearches } from "./search-rpc.ts";
import { SessionStore } from "./sessions/session-store.ts";
import { SignInCodeStore } from "./sessions/sign-in-code-store.ts";
import { UsedSignInStore } from "./sign-in/used-sign-in-store.ts";
import { MembershipStore } from "./workspaces/membership-store.ts";
import { WorkspaceSettingsStore } from "./workspaces/workspace-settings-store.ts";
import { WorkspaceStore } from "./workspaces/workspace-store.ts";

/** One store per collection. */
export interface IdentityStores {
  organisations: OrganisationStore;
  organisationLimits: OrganisationLimitStore;
  members: MemberStore;
  roles: RoleStore;
  apiKeys: ApiKeyStore;
  auditRecords: AuditRecordStore;
  assets: AssetStore;
  workspaces: WorkspaceStore;
  memberships: MembershipStore;
  workspaceSettings: WorkspaceSettingsStore;
  externalLinks: ExternalLinkStore;
  dataKeys: DataKeyStore;
  delegations: DelegationStore;
  failedCredentials: FailedCredentialStore;
  sessions: SessionStore;
  signInCodes: SignInCodeStore;
  usedSignIns: UsedSignInStore;
}

export const identityIndexes: readonly IndexPlan[] = [
  OrganisationStore.indexes,
  OrganisationLimitStore.indexes,
  MemberStore.indexes,
  RoleStore.indexes,
  ApiKeyStore.indexes,
  AuditRecordStore.indexes,
  AssetStore.indexes,
  WorkspaceStore.indexes,
  MembershipStore.indexes,
  WorkspaceSettingsStore.indexes,
  ExternalLinkStore.indexes,
  DataKeyStore.indexes,
  DelegationStore.indexes,
  FailedCredentialStore.indexes,
  SessionStore.indexes,
  SignInCodeStore.indexes,
  UsedSignInStore.indexes,
];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const identityMigrations: readonly Migration[] = [{ version: 1, ...searchBackfill(identitySearches) }];

/** The stores over one database. */
export function createStores(store: DocumentStore, catalogue: ReadonlySet<string>): IdentityStores {
  const mutex = new KeyedMutex();
  return {
    organisations: new OrganisationStore(store, mutex),
    organisationLimits: new OrganisationLimitStore(store),
    members: new MemberStore(store),
    roles: new RoleStore(store, { catalogue, mutex }),
    apiKeys: new ApiKeyStore(store),
    auditRecords: new AuditRecordStore(store),
    assets: new AssetStore(store),
    workspaces: new WorkspaceStore(store),
    memberships: new MembershipStore(store),
    workspaceSettings: new WorkspaceSettingsStore(store),
    externalLinks: new ExternalLinkStore(store),
    dataKeys: new DataKeyStore(store),
    delegations: new DelegationStore(store),
    failedCredentials: new FailedCredentialStore(store),
    sessions: new SessionStore(store),
    signInCodes: new SignInCodeStore(store),
    usedSignIns: new UsedSignInStore(store),
  };
}
