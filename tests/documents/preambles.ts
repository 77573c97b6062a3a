/** What the code of a page goes on with: imports, and what its reader has. By page; the code of other pages is complete. */
export const preambles: Readonly<Record<string, string>> = {
  "packages/backoff/README.md": `
import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
interface Connection {}
declare function connect(): Promise<Connection>;
`,
  "packages/caller-identity/README.md": `
import { accessInterceptor, authenticationInterceptor, callerOf, callingServiceInterceptor, contextAudiences, createContextSigner, createContextVerifier, createCredentialExchange, credentialHeaders, ServiceAssertions } from "@aiplatform/caller-identity";
import type { CredentialChanged } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import type { ServiceKeys } from "@aiplatform/service-keys";
import type { Client, HandlerContext } from "@connectrpc/connect";
declare const now: () => Date;
declare const serviceKeys: ServiceKeys;
declare const privateKeyPem: string;
declare const organisationId: string;
declare const memberId: string;
declare const permissions: ReadonlySet<string>;
declare const credentialId: string;
declare const identity: Client<typeof CredentialService>;
declare const context: HandlerContext;
declare const peer: { doSomething(request: object, options: { headers: Headers }): Promise<void> };
declare const request: object;
declare const credentialChanged: CredentialChanged;
`,
  "packages/cluster-installer/README.md": `
import { Kubectl, neededKeys, renderOverlay } from "@aiplatform/cluster-installer";
`,
  "packages/list-filter/README.md": `
import { ListPipelinesRequestSchema as ListBoatsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { TenantCollection, TenantDocument } from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
declare const boats: TenantCollection<TenantDocument>;
declare const organisationId: string;
declare const request: ListPageRequest;
`,
  "packages/search/README.md": `
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { DeploymentsSearchService } from "@aiplatform/contract/aiplatform/deployments/v1/search";
import type { ClientSession, TenantCollection, TenantDocument } from "@aiplatform/document-store";
import { answerSearch, type SearchedCollection, type SearchFields, searchFields, ServiceSearch } from "@aiplatform/search";
import type { ConnectRouter } from "@connectrpc/connect";
declare const models: TenantCollection<TenantDocument & SearchFields>;
declare const model: TenantDocument & { name: string };
declare const organisationId: string;
declare const session: ClientSession;
declare const platform: { store: ConstructorParameters<typeof ServiceSearch>[0] };
declare const router: ConnectRouter;
`,
  "packages/document-store/README.md": `
import { byCreation, connectDocumentStore, createdAfter, createIndexes, GroupWriter, IdempotencyStore, type IndexPlan, type Migration, openSchema, Outbox, type OutboxRecord, pageOf, placeOf, TenantCollection, type TenantDocument, toRead, withTransaction, type Collection } from "@aiplatform/document-store";
import type { Logger } from "@aiplatform/service-host";
interface Run extends TenantDocument { name: string }
interface Role extends TenantDocument { created_at: Date }
interface Entry { _id: string; job: string }
declare const uri: string;
declare const plans: readonly IndexPlan[];
declare const signal: AbortSignal;
declare const logger: Logger;
declare const organisationId: string;
declare const run: Run;
declare const record: OutboxRecord;
declare const clock: () => Date;
declare const operation: string;
declare const key: string;
declare const credentialId: string;
declare const cursor: string;
declare const request: Uint8Array;
declare function encode(run: Run): Uint8Array<ArrayBuffer>;
declare const roles: TenantCollection<Role>;
declare const limit: number;
declare function toRole(role: Role): { id: string; createdAt: Date };
declare const entries: Collection<Entry>;
declare const entry: Entry;
declare const heads: { forget(entries: Entry[]): void };
`,
  "packages/event-stream/README.md": `
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { type JobCompleted, JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { ClientSession, DocumentStore, Outbox } from "@aiplatform/document-store";
import { connectEventStream, createRefusalReporter, decodeEvent, eventRecord, eventSubject, outboxSource, type ReceivedEvent, startRelay, wakeSubject } from "@aiplatform/event-stream";
import type { Logger } from "@aiplatform/service-host";
import type { ServiceKeys } from "@aiplatform/service-keys";
import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Meter } from "@opentelemetry/api";
declare const logger: Logger;
declare const keys: ServiceKeys;
declare const meter: Meter;
declare const store: DocumentStore;
declare const outbox: Outbox;
declare const session: ClientSession;
declare const message: JobCompleted;
declare const organisationId: string;
declare const runId: string;
declare const jobId: string;
declare const requestId: string;
declare const time: Date;
declare const refusedAt: Timestamp;
declare const subjects: string[];
declare const position: Uint8Array;
declare function register(completed: JobCompleted, session: ClientSession): Promise<void>;
declare function insertByEventId(events: readonly ReceivedEvent[]): Promise<void>;
declare function wake(position: Uint8Array): void;
`,
  "packages/guarded-fetch/README.md": `
import { createGuardedFetch } from "@aiplatform/guarded-fetch";
`,
  "packages/quotas/README.md": `
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";
interface Deployment { name: string }
declare const store: DocumentStore;
declare const config: QuotasConfig;
declare const organisationId: string;
declare const deployment: Deployment;
declare const deployments: {
  count(organisationId: string, session?: ClientSession): Promise<number>;
  insert(organisationId: string, deployment: Deployment, session: ClientSession): Promise<void>;
};
declare function transaction(work: (session: ClientSession) => Promise<void>): Promise<void>;
`,
  "packages/sealed-secrets/README.md": `
import type { DocumentStore } from "@aiplatform/document-store";
import { DataKeyStore, dataKeyRewrap, keyRingSetting, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
import { defineSettings, hostSettings, type Platform, setting } from "@aiplatform/service-host";
import { startWorker } from "@aiplatform/service-kit";
declare const config: { SECRETS_KEYS: string };
declare const platform: Platform;
declare const parts: AsyncDisposableStack;
declare const store: DocumentStore;
declare const clock: () => Date;
declare const newId: () => string;
declare const organisationId: string;
declare const link: { id: string };
`,
  "packages/service-host/README.md": `
import { CredentialService as GreeterService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import type { DocumentStore } from "@aiplatform/document-store";
import { defineSettings, hostSettings, type Platform, readSettings, runUntilSignal, setting, startService } from "@aiplatform/service-host";
import { Code, type ServiceImpl } from "@connectrpc/connect";
declare class GuestNotFoundError extends Error {}
declare const store: DocumentStore;
declare function greeterRpc(platform: Platform, config: { GREETING: string }): Partial<ServiceImpl<typeof GreeterService>>;
declare function tellStreamsToReconnect(): void;
`,
  "packages/service-keys/README.md": `
import { keepServiceKeys, ServiceKeys } from "@aiplatform/service-keys";
import type { Logger } from "@aiplatform/service-host";
declare const SERVICE_KEY_FILE: string;
declare const SERVICE_KEYS_FILE: string;
declare const logger: Logger;
declare const bytes: Uint8Array;
declare const directory: string;
`,
  "packages/service-kit/README.md": `
import { CredentialService as NoteService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { type DocumentStore, type IndexPlan, LeaseLostError, Leases, type Outbox, type OutboxRecord, type TenantDocument } from "@aiplatform/document-store";
import { defineSettings, hostSettings, readSettings, runUntilSignal } from "@aiplatform/service-host";
import { ClaimingWorker, type DomainStores, startDomainService, startWorker, type WorkerPlatform } from "@aiplatform/service-kit";
import { Peer } from "@aiplatform/service-kit/peer";
import type { Message } from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import { domainSettings } from "@aiplatform/service-kit/settings";
import { Code, type ServiceImpl, type Transport } from "@connectrpc/connect";
declare class EmptyNoteError extends Error {}
declare class NoteStore {
  static readonly indexes: IndexPlan;
  constructor(store: DocumentStore);
  deleteOld(): Promise<void>;
}
declare function notesPurged(organisationId: string): OutboxRecord;
declare function noteRpc(parts: { notes: NoteStore; outbox: Outbox; transaction: DomainStores["transaction"] }): Partial<ServiceImpl<typeof NoteService>>;
interface Letter extends TenantDocument { open: boolean; text: string }
declare const store: DocumentStore;
declare const platform: WorkerPlatform;
declare function toLetter(document: TenantDocument): Letter;
declare function send(letter: Letter, signal: AbortSignal): Promise<string>;
declare const peers: (addresses: readonly string[]) => Transport;
declare const AuthorService: GenService<{ findAuthor: { methodKind: "unary"; input: GenMessage<Message & { name: string }>; output: GenMessage<Message & { author: string }> } }>;
declare const letters: { end(letter: Letter, by: { answer: string; holder: string }): Promise<boolean> };
`,
  "packages/openai-api/README.md": `
import { memberAt, OpenAiApi, parsedJson } from "@aiplatform/openai-api";
declare const [key, effectId]: [string, string];
declare const signal: AbortSignal;
const retry = { minMs: 1_000, maxMs: 30_000, maxWantedMs: 60_000 };
`,
  "packages/serving-runtime/README.md": `
import { spawn } from "node:child_process";
import { once } from "node:events";
import { runtimeCommand } from "@aiplatform/serving-runtime";
declare const directory: string;
declare const manifestPath: string;
declare const token: string;
`,
  "packages/telemetry/README.md": `
import { createInstruments, defineMetrics, metric } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
declare const meter: Meter;
`,
  "packages/worker-pool/README.md": `
import type { Logger } from "@aiplatform/service-host";
import { WorkerPool, type WorkerPoolConfig } from "@aiplatform/worker-pool";
import { serveTasks } from "@aiplatform/worker-pool/thread";
import type { Meter } from "@opentelemetry/api";
interface Invoice { lines: number[] }
declare class InvoiceError extends Error {}
declare const parts: AsyncDisposableStack;
declare const config: WorkerPoolConfig;
declare const logger: Logger;
declare const meter: Meter;
declare const organisationId: string;
declare const invoice: Invoice;
declare function totalsOf(invoice: Invoice): number[];
`,
  "services/content/README.md": `
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient, type Interceptor } from "@connectrpc/connect";
declare const credential: Interceptor;
declare const memberId: string;
`,
  "services/deployments/README.md": `
import { DeploymentService, DeploymentStatus } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService, type UploadArtifactRequest } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient, type Interceptor } from "@connectrpc/connect";
declare const credential: Interceptor;
declare const artifactSha256: string;
declare const file: Blob;
declare function piecesFrom(file: Blob, offset: bigint): AsyncIterable<UploadArtifactRequest>;
`,
  "services/identity/README.md": `
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
declare const operatorKey: string;
declare const issuer: string;
`,
  "services/training/README.md": `
import { ControlCommandService, TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
declare const pipelineId: string;
declare const runId: string;
`,
};
