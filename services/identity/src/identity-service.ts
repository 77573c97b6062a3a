import { randomBytes } from "node:crypto";
import {
  type ContextSigner,
  createContextSigner,
  createContextVerifier,
  FailedCredentialLimiter,
} from "@aiplatform/caller-identity";
import { createGuardedFetch } from "@aiplatform/guarded-fetch";
import { hearChangedLimits } from "@aiplatform/quotas";
import { dataKeyRewrap, SealedSecrets } from "@aiplatform/sealed-secrets";
import { ServiceSearch } from "@aiplatform/search";
import { acceptsMissingAssertions, type RunningService, type ServiceParts } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
import { apiKeyRoutes } from "./api-keys/api-key-rpc.ts";
import { assetRoutes } from "./assets/asset-rpc.ts";
import { consumeDatasets } from "./assets/dataset-consumer.ts";
import { consumePipelines } from "./assets/pipeline-consumer.ts";
import { auditRecordRoutes } from "./audit-records/audit-record-rpc.ts";
import { consumeAuditedEvents } from "./audit-records/audited-event-consumer.ts";
import type { IdentityConfig } from "./config.ts";
import { createAccessTokenVerifier } from "./credentials/access-token-verifier.ts";
import { type CallerIssuer, createCallerIssuer } from "./credentials/caller-issuer.ts";
import { CredentialRefusedError } from "./credentials/credential-refused-error.ts";
import { credentialRoutes } from "./credentials/credential-rpc.ts";
import { createKeysByIssuer, type KeysByIssuer } from "./credentials/issuer-keys.ts";
import { createLastUsedRecorder } from "./credentials/last-used-recorder.ts";
import { createLocalExchange } from "./credentials/local-exchange.ts";
import { createSecretHasher } from "./credentials/secret-hasher.ts";
import { delegationRoutes } from "./delegations/delegation-rpc.ts";
import type { IdentityDependencies } from "./dependencies.ts";
import { identityErrors } from "./errors.ts";
import { externalLinkRoutes } from "./external-links/external-link-rpc.ts";
import { readLinkSettings } from "./external-links/link-settings.ts";
import { createOAuthProviders } from "./external-links/oauth-provider.ts";
import { startExternalLinkRefresh } from "./external-links/refresh-external-links.ts";
import { memberRoutes } from "./members/member-rpc.ts";
import { NotebookHub } from "./notebook-sessions/notebook-hub.ts";
import { notebookSessionRoutes } from "./notebook-sessions/notebook-session-rpc.ts";
import { PendingTracker } from "./notebook-sessions/pending-tracker.ts";
import { purgeOfIdentity } from "./organisations/delete-organisation.ts";
import { identityQuotas } from "./organisations/identity-quotas.ts";
import { organisationRoutes } from "./organisations/organisation-rpc.ts";
import { consumePurgedOrganisations } from "./organisations/purged-organisation-consumer.ts";
import { identityServices, platformPermissions } from "./permissions/permission-catalogue.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { roleRoutes } from "./roles/role-rpc.ts";
import { identitySearches, searchRoutes } from "./search-rpc.ts";
import { sessionRoutes } from "./sessions/session-rpc.ts";
import { readSessionSettings } from "./sessions/session-settings.ts";
import { verifySession, verifySignInCode } from "./sessions/verify-session.ts";
import { SealedAttempts } from "./sign-in/sign-in-attempt.ts";
import { readSignInClients } from "./sign-in/sign-in-clients.ts";
import { createSignInProviders } from "./sign-in/sign-in-provider.ts";
import { signInReport } from "./sign-in/sign-in-report.ts";
import { signInRoutes } from "./sign-in/sign-in-rpc.ts";
import { createStores, identityIndexes, identityMigrations } from "./stores.ts";
import { consumeGroupingRequests } from "./workspaces/grouping-consumer.ts";
import { startGroupingSweep } from "./workspaces/grouping-sweep.ts";
import { startGroupingWorker } from "./workspaces/grouping-worker.ts";
import { workspaceRoutes } from "./workspaces/workspace-rpc.ts";

/** Starts identity. @throws Error with one sentence when a setting or the signing key is invalid, or the database cannot be used. */
export async function startIdentityService(config: IdentityConfig): Promise<RunningService> {
  const now = () => new Date();
  const signer = createContextSigner({ privateKeyPem: config.CONTEXT_SIGNING_KEY, now });
  const issuer = Promise.withResolvers<CallerIssuer>();
  return await startDomainService({
    name: "identity",
    config,
    services: identityServices,
    errors: identityErrors,
    indexes: identityIndexes,
    migrations: identityMigrations,
    makesRoom: true,
    deletesOrganisations: true,
    callers: {
      verifier: createContextVerifier({ jwks: async () => signer.jwks(), now }),
      exchange: createLocalExchange(issuer.promise),
    },
    start: (platform) => startIdentity({ config, platform, signer, ready: issuer.resolve }),
  });
}

interface Start {
  config: IdentityConfig;
  platform: DomainPlatform;
  signer: ContextSigner;
  /** Told how callers are issued, once they can be. */
  ready: (issueCaller: CallerIssuer) => void;
}

async function startIdentity({ config, platform, signer, ready }: Start): Promise<DomainServiceParts> {
  const { logger, clock, newId, signal, parts, store, stream, outbox, idempotency, transaction, purges } = platform;
  const catalogue = platformPermissions();
  const allowedNetworks = config.OUTBOUND_ALLOWED_NETWORKS;
  const outbound = parts.use(
    createGuardedFetch({ allowedNetworks, timeoutMs: 10_000, maxBytes: 1024 * 1024, allowHttp: true }),
  );
  const stores = createStores(store, catalogue);
  const { ring, providers, redirectUri, reviewUri } = readLinkSettings(config);
  const keys = issuerKeys(config, { outbound, clock, logger });
  const secrets = new SealedSecrets({ ring, dataKeys: stores.dataKeys, clock, newId });
  const dependencies: IdentityDependencies = {
    ...stores,
    quotas: identityQuotas(store, { ...stores, clock }, config),
    secrets,
    oauthProviders: createOAuthProviders(providers, { outbound, clock }),
    redirectUri,
    reviewUri,
    ...readSessionSettings(config),
    ...signInOf(config, { outbound, keys, clock }),
    issuers: config.OIDC_ISSUERS,
    outbox,
    idempotency,
    transaction,
    purges,
    serviceKeys: platform.keys,
    catalogue,
    hasher: createSecretHasher(config.API_KEY_HASH_SECRET),
    delegationSecret: config.DELEGATION_SECRET,
    outbound,
    clock,
    newId,
    randomBytes,
  };
  await dependencies.members.replaceActiveByStatus();
  await secrets.assertFits();
  parts.use(startWorker(platform, dataKeyRewrap(secrets, { signal, logger })));
  parts.use(consumeAuditedEvents({ stream, store, ...dependencies, retentionDays: config.AUDIT_RETENTION_DAYS }));
  parts.use(hearChangedLimits(stream, dependencies.quotas));
  parts.use(consumePurgedOrganisations({ stream, store, ...dependencies }));
  parts.use(consumePipelines({ stream, store, ...dependencies }));
  parts.use(consumeDatasets({ stream, store, ...dependencies }));
  const worker = parts.use(startGroupingWorker({ ...platform, ...dependencies }));
  parts.use(consumeGroupingRequests({ stream, store, worker }));
  parts.use(startGroupingSweep(platform, { logger, ...dependencies }));
  parts.use(startExternalLinkRefresh({ ...platform, ...dependencies }));
  const hub = notebookHubOf(config, dependencies);
  const issueCaller = parts.use(startIssuing(dependencies, { config, platform, signer, hub, keys })).issueCaller;
  ready(issueCaller);
  const routes = identityRoutes(dependencies, issueCaller, { config, hub, platform, signer });
  return { routes, purge: purgeOfIdentity(dependencies) };
}

function identityRoutes(
  dependencies: IdentityDependencies,
  issueCaller: CallerIssuer,
  { config, hub, platform, signer }: Omit<Start, "ready"> & { hub: NotebookHub | undefined },
): ServiceParts["routes"] {
  const onHubFailure = (error: Error) => platform.logger.warn({ err: error }, "the notebook hub does not answer");
  const notebooks = { ...dependencies, hub, signer, pendingTracker: new PendingTracker(), onHubFailure };
  const search = new ServiceSearch(platform.store, identitySearches);
  return (router) => {
    organisationRoutes(router, dependencies);
    quotaRoutes(router, dependencies);
    searchRoutes(router, search);
    memberRoutes(router, dependencies);
    roleRoutes(router, dependencies);
    apiKeyRoutes(router, dependencies);
    sessionRoutes(router, dependencies);
    signInRoutes(router, { ...dependencies, report: signInReport(platform.logger) });
    delegationRoutes(router, dependencies);
    auditRecordRoutes(router, dependencies);
    assetRoutes(router, dependencies);
    workspaceRoutes(router, dependencies);
    notebookSessionRoutes(router, notebooks);
    externalLinkRoutes(router, {
      ...dependencies,
      onProviderFailure: ({ linkId, error }) =>
        platform.logger.warn(
          { err: error, id: linkId },
          "a provider did not take its tokens back; they are erased here",
        ),
    });
    credentialRoutes(router, { issueCaller, signer, acceptsMissing: acceptsMissingAssertions(config) });
  };
}

function notebookHubOf(
  { JUPYTERHUB_URL: url, JUPYTERHUB_API_TOKEN: apiToken }: IdentityConfig,
  { outbound }: Pick<IdentityDependencies, "outbound">,
): NotebookHub | undefined {
  return url && apiToken ? new NotebookHub({ url, apiToken, fetch: outbound }) : undefined;
}

function issuerKeys(
  config: IdentityConfig,
  { outbound, clock, logger }: Pick<IdentityDependencies, "outbound" | "clock"> & Pick<DomainPlatform, "logger">,
): KeysByIssuer {
  return createKeysByIssuer(config.OIDC_ISSUERS, {
    ...{ outbound, now: clock },
    onFailure: ({ issuer, error }) => logger.warn({ issuer, err: error }, "an issuer's keys could not be fetched"),
    onIgnored: (ignored) => logger.warn(ignored, "an issuer publishes keys that are not accepted"),
  });
}

/** What signing in with identity providers needs. Without such providers nothing of it is used. */
function signInOf(
  config: IdentityConfig,
  { outbound, keys, clock }: Pick<IdentityDependencies, "outbound" | "clock"> & Pick<Issuing, "keys">,
): Pick<IdentityDependencies, "signInProviders" | "sealedAttempts" | "consoleUrl"> {
  const publicUrl = (config.PUBLIC_URL ?? "").replace(/\/+$/, "");
  return {
    signInProviders: createSignInProviders(readSignInClients(config), { outbound, keys, clock, publicUrl }),
    sealedAttempts: new SealedAttempts({ secret: config.API_KEY_HASH_SECRET, clock }),
    consoleUrl: publicUrl + config.CONSOLE_PATH.replace(/\/$/, ""),
  };
}

interface Issuing extends Omit<Start, "ready"> {
  hub: NotebookHub | undefined;
  keys: KeysByIssuer;
}

function startIssuing(
  dependencies: IdentityDependencies,
  { config, platform: { logger, clock }, signer, hub, keys }: Issuing,
): AsyncDisposable & { issueCaller: CallerIssuer } {
  const { apiKeys, members, sessions } = dependencies;
  const keyUses = createLastUsedRecorder({
    write: (organisationId, id, minute) => apiKeys.setLastUsed(organisationId, id, minute),
    onFailure: (error) => logger.warn({ err: error }, "failed to record the last use of an API key"),
  });
  const memberUses = createLastUsedRecorder({
    write: (organisationId, id, minute) => members.setLastSeen(organisationId, id, minute),
    onFailure: (error) => logger.warn({ err: error }, "failed to record when a member was last seen"),
  });
  const sessionUses = createLastUsedRecorder({
    write: (organisationId, id, minute) => sessions.setLastUsed(organisationId, id, minute),
    onFailure: (error) => logger.warn({ err: error }, "failed to record the last use of a session"),
  });
  const tokens = createAccessTokenVerifier({ issuers: config.OIDC_ISSUERS, keys, now: clock });
  const operatorKeyHash = config.OPERATOR_KEY && dependencies.hasher.hash(config.OPERATOR_KEY);
  const notebookHub = config.NOTEBOOK_CREDENTIALS ? hub : undefined;
  const failedCredentials = new FailedCredentialLimiter({
    perMinute: config.FAILED_CREDENTIALS_PER_MINUTE,
    failures: dependencies.failedCredentials,
    isBad: (error) => error instanceof CredentialRefusedError,
  });
  const browserCredentials = {
    session: (token: string) => verifySession({ ...dependencies, sessionUses }, token),
    signInCode: (code: string) => verifySignInCode(dependencies, code),
  };
  const uses = { keyUses, memberUses };
  const parts = {
    ...dependencies,
    ...uses,
    ...{ tokens, browserCredentials, operatorKeyHash, notebookHub, failedCredentials },
  };
  const issueCaller = createCallerIssuer(parts, signer);
  return {
    issueCaller,
    [Symbol.asyncDispose]: () =>
      Promise.all([keyUses, memberUses, sessionUses].map((each) => each.close())).then(() => undefined),
  };
}
