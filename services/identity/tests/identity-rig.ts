import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { AuditService } from "@aiplatform/contract/aiplatform/identity/v1/audit";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { DelegationService } from "@aiplatform/contract/aiplatform/identity/v1/delegations";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import {
  type CreateOrganisationResponse,
  OrganisationService,
} from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { SessionService } from "@aiplatform/contract/aiplatform/identity/v1/sessions";
import { SignInService } from "@aiplatform/contract/aiplatform/identity/v1/sign_in";
import { AssetService, WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore } from "@aiplatform/document-store";
import { createMeshTransport, type RunningService } from "@aiplatform/service-host";
import {
  assertedAs,
  contextSigningKey,
  dropDatabase,
  environmentOf,
  eventually,
  newTestEnvironment,
  ServiceProcess,
  type TestEnvironment,
} from "@aiplatform/testkit";
import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { type IdentityConfig, readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { type LoopbackIssuer, startLoopbackIssuer } from "./loopback-issuer.ts";

/** The operator's key of every rig. */
export const operatorKey: string = "operator-key-of-the-tests-0123456789abcdef";

/** Under which delegations of every rig are proved. */
export const delegationSecret: string = "delegation-secret-of-the-tests-0123456789";

/** The service as a process of its own. */
export const program = new URL("../src/main.ts", import.meta.url);

/** Environment of an identity with a database and a stream of its own. */
export function identityEnvironment(
  issuers: object[],
  home: TestEnvironment = newTestEnvironment("identity"),
): Record<string, string> {
  return environmentOf(home, {
    LOG_LEVEL: "fatal",
    CONTEXT_SIGNING_KEY: contextSigningKey,
    API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
    DELEGATION_SECRET: delegationSecret,
    OPERATOR_KEY: operatorKey,
    OIDC_ISSUERS: JSON.stringify(issuers),
    OUTBOUND_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  });
}

/** What a caller shows, as headers. */
export interface Shown {
  bearer?: string;
  apiKey?: string;
}

/** The services of identity, called with one credential. */
export interface IdentityClients {
  organisations: Client<typeof OrganisationService>;
  members: Client<typeof MemberService>;
  roles: Client<typeof RoleService>;
  apiKeys: Client<typeof ApiKeyService>;
  credentials: Client<typeof CredentialService>;
  workspaces: Client<typeof WorkspaceService>;
  assets: Client<typeof AssetService>;
  externalOauth: Client<typeof ExternalOauthService>;
  delegations: Client<typeof DelegationService>;
  audit: Client<typeof AuditService>;
  sessions: Client<typeof SessionService>;
  signIn: Client<typeof SignInService>;
}

/** Clients that show this credential with every call. */
export function clientsOver(transport: Transport): IdentityClients {
  return {
    organisations: createClient(OrganisationService, transport),
    members: createClient(MemberService, transport),
    roles: createClient(RoleService, transport),
    apiKeys: createClient(ApiKeyService, transport),
    credentials: createClient(CredentialService, transport),
    workspaces: createClient(WorkspaceService, transport),
    assets: createClient(AssetService, transport),
    externalOauth: createClient(ExternalOauthService, transport),
    delegations: createClient(DelegationService, transport),
    audit: createClient(AuditService, transport),
    sessions: createClient(SessionService, transport),
    signIn: createClient(SignInService, transport),
  };
}

/** Puts a credential into the headers of every call. */
export function showing({ bearer, apiKey }: Shown): Interceptor {
  return (next) => (request) => {
    if (bearer !== undefined) request.header.set("authorization", `Bearer ${bearer}`);
    if (apiKey !== undefined) request.header.set("api-key", apiKey);
    return next(request);
  };
}

/** Clients that show a credential, and prove to be a service: content unless another is named. */
export type ClientsAs = (shown: Shown, service?: string) => IdentityClients;

/** Clients of a service for any credential, whose connections `owner` closes. */
export function clientsOf(
  { addresses }: { addresses: Pick<RunningService["addresses"], "grpc"> },
  owner: AsyncDisposableStack,
): ClientsAs {
  return (shown, service = "content") => {
    const interceptors = [showing(shown), assertedAs(service)];
    const transport = createMeshTransport({ addresses: addresses.grpc, interceptors });
    owner.defer(() => transport.close());
    return clientsOver(transport);
  };
}

/** A running identity with a real issuer and two organisations: acme (ada) and globex (hank). */
export interface IdentityRig extends AsyncDisposable {
  config: IdentityConfig;
  service: { addresses: Pick<RunningService["addresses"], "grpc" | "admin"> };
  provider: LoopbackIssuer;
  acme: CreateOrganisationResponse;
  globex: CreateOrganisationResponse;
  as: ClientsAs;
}

/** Subjects that the provider gives tokens to, and the organisation that it says they are of. */
const subjects = [
  { subject: "ada", organisation: "acme" },
  { subject: "grace", organisation: "acme" },
  { subject: "hank", organisation: "globex" },
  { subject: "mallory", organisation: "acme" },
];

export async function startIdentityRig(
  o: { otherIssuers?: object[]; ownProcess?: boolean; settings?: Record<string, string> } = {},
): Promise<IdentityRig> {
  await using parts = new AsyncDisposableStack();
  const provider = parts.use(await startLoopbackIssuer(subjects));
  const trusted = { issuer: provider.issuer, audience: provider.audience, allow_http: true };
  const home = newTestEnvironment("identity");
  const environment = { ...identityEnvironment([trusted, ...(o.otherIssuers ?? [])], home), ...o.settings };
  const config = readConfig(environment);
  parts.defer(() => dropDatabaseOf(config));
  const service = parts.use(o.ownProcess ? await startProcess(home, environment) : await startIdentityService(config));
  const as = clientsOf(service, parts.use(new AsyncDisposableStack()));
  const found = (slug: string, subject: string) =>
    as({ bearer: operatorKey }).organisations.createOrganisation({
      slug,
      name: slug,
      administrator: { displayName: subject, email: `${subject}@${slug}.test`, issuer: provider.issuer, subject },
    });
  const acme = await found("acme", "ada");
  const globex = await found("globex", "hank");
  const owned = parts.move();
  return { config, service, provider, acme, globex, as, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startProcess(
  home: TestEnvironment,
  settings: Record<string, string>,
): Promise<AsyncDisposable & IdentityRig["service"]> {
  const replica = await new ServiceProcess({ program, home, settings }).start();
  const addresses = { grpc: replica.address, admin: replica.admin };
  return { addresses, [Symbol.asyncDispose]: () => replica[Symbol.asyncDispose]() };
}

async function dropDatabaseOf({ MONGODB_URI: uri, MONGODB_DATABASE: database }: IdentityConfig): Promise<void> {
  await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  await dropDatabase(store);
}

/** Resolves when NATS and its streams are there. */
export async function reachable(stream: { ping(): Promise<void> }): Promise<void> {
  const ping = () =>
    stream.ping().then(
      () => true,
      () => false,
    );
  await eventually(ping, "NATS and its streams");
}
