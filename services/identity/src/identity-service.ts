import { randomBytes } from "node:crypto";
import { type ContextSigner, createContextSigner, createContextVerifier } from "@aiplatform/caller-identity";
import { connectDocumentStore, createIndexes, Outbox, ReplayStore, withTransaction } from "@aiplatform/document-store";
import { connectEventStream, createRefusalReporter, outboxSource, startRelay } from "@aiplatform/event-stream";
import {
  currentCause,
  type Platform,
  type RunningService,
  type ServiceParts,
  startService,
} from "@aiplatform/service-host";
import { apiKeyRoutes } from "./api-keys/api-key-rpc.ts";
import { ApiKeyStore } from "./api-keys/api-key-store.ts";
import { createUseLog } from "./api-keys/use-log.ts";
import { consumeAuditedEvents } from "./audit/audit-consumer.ts";
import { AuditRecordStore } from "./audit/audit-record-store.ts";
import { auditRoutes } from "./audit/audit-rpc.ts";
import type { IdentityConfig } from "./config.ts";
import { createAccessTokenVerifier } from "./credentials/access-token-verifier.ts";
import { type CallerIssuer, createCallerIssuer } from "./credentials/caller-issuer.ts";
import { credentialRoutes } from "./credentials/credential-rpc.ts";
import { createOwnExchange } from "./credentials/own-exchange.ts";
import { createSecretHasher } from "./credentials/secret-hasher.ts";
import type { IdentityDependencies } from "./dependencies.ts";
import { identityErrors } from "./errors.ts";
import { memberRoutes } from "./members/member-rpc.ts";
import { MemberStore } from "./members/member-store.ts";
import { organisationRoutes } from "./organisations/organisation-rpc.ts";
import { OrganisationStore } from "./organisations/organisation-store.ts";
import { identityServices, platformPermissions } from "./permissions/permission-catalogue.ts";
import { roleRoutes } from "./roles/role-rpc.ts";
import { RoleStore } from "./roles/role-store.ts";

/** Starts identity. Rejects with one sentence when a setting, the database or the signing key will not do. */
export async function startIdentityService(config: IdentityConfig): Promise<RunningService> {
  const now = () => new Date();
  const signer = createContextSigner({ privateKeyPem: config.CONTEXT_SIGNING_KEY, now });
  const issuer = Promise.withResolvers<CallerIssuer>();
  return await startService({
    name: "identity",
    config,
    services: identityServices,
    errors: identityErrors,
    callers: {
      verifier: createContextVerifier({ jwks: async () => signer.jwks(), now }),
      exchange: createOwnExchange(issuer.promise),
    },
    start: (platform) => startParts({ config, platform, signer, ready: issuer.resolve }),
  });
}

interface Start {
  config: IdentityConfig;
  platform: Platform;
  signer: ContextSigner;
  /** Told how callers are issued, once they can be. */
  ready: (issueCaller: CallerIssuer) => void;
}

async function startParts({ config, platform, signer, ready }: Start): Promise<ServiceParts> {
  const { logger, clock, newId, signal, meter } = platform;
  await using parts = new AsyncDisposableStack();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, NATS_URL: servers, NATS_STREAM: streamName } = config;
  const store = parts.use(await connectDocumentStore({ uri, database, appName: "identity", logger, signal }));
  const catalogue = platformPermissions();
  const outbox = new Outbox(store, { cause: currentCause });
  const dependencies: IdentityDependencies = {
    organisations: new OrganisationStore(store),
    members: new MemberStore(store),
    roles: new RoleStore(store, catalogue),
    apiKeys: new ApiKeyStore(store),
    auditRecords: new AuditRecordStore(store),
    outbox,
    replays: new ReplayStore(store, { clock }),
    transaction: (work) => withTransaction(store, work),
    catalogue,
    hasher: createSecretHasher(config.API_KEY_HASH_SECRET),
    clock,
    newId,
    randomBytes,
  };
  await createIndexes(store, [
    OrganisationStore.indexes,
    MemberStore.indexes,
    RoleStore.indexes,
    ApiKeyStore.indexes,
    AuditRecordStore.indexes,
    Outbox.indexes,
    ReplayStore.indexes,
  ]);
  const stream = parts.use(await connectEventStream({ servers, name: "identity", logger, streamName }));
  parts.use(startRelay({ source: outboxSource(store), stream, logger }));
  const refusals = parts.use(createRefusalReporter(stream, { logger, meter }));
  parts.use(consumeAuditedEvents({ stream, ...dependencies, retentionDays: config.AUDIT_RETENTION_DAYS }));
  const issueCaller = parts.use(startIssuing(dependencies, { config, platform, signer })).issueCaller;
  ready(issueCaller);
  const owned = parts.move();
  return {
    routes: (router) => {
      organisationRoutes(router, dependencies);
      memberRoutes(router, dependencies);
      roleRoutes(router, dependencies);
      apiKeyRoutes(router, dependencies);
      auditRoutes(router, dependencies);
      credentialRoutes(router, { issueCaller, signer });
    },
    checks: { mongodb: (checkSignal) => store.ping(checkSignal), nats: () => stream.ping() },
    refusals: (refused) => refusals.report(refused),
    close: [() => owned.disposeAsync()],
  };
}

function startIssuing(
  dependencies: IdentityDependencies,
  { config, platform: { logger, clock }, signer }: Omit<Start, "ready">,
): AsyncDisposable & { issueCaller: CallerIssuer } {
  const useLog = createUseLog({
    apiKeys: dependencies.apiKeys,
    onFailure: (error) => logger.warn({ err: error }, "the last use of an API key could not be written down"),
  });
  const tokens = createAccessTokenVerifier({
    issuers: config.OIDC_ISSUERS,
    now: clock,
    onFailure: ({ issuer, error }) => logger.warn({ issuer, err: error }, "an issuer's keys could not be fetched"),
  });
  const operatorKeyHash = config.OPERATOR_KEY && dependencies.hasher.hash(config.OPERATOR_KEY);
  const issueCaller = createCallerIssuer({ ...dependencies, tokens, useLog, operatorKeyHash }, signer);
  return { issueCaller, [Symbol.asyncDispose]: () => useLog.close() };
}
