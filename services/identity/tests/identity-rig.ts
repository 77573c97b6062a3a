import { generateKeyPairSync, randomUUID } from "node:crypto";
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
import { AssetService, WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { connectDocumentStore } from "@aiplatform/document-store";
import { createMeshTransport, type MeshTransport, type RunningService } from "@aiplatform/service-host";
import { type Client, Code, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { type IdentityConfig, readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { startIdentityProcess } from "./identity-process.ts";
import { type LoopbackIssuer, startLoopbackIssuer } from "./loopback-issuer.ts";

/** The real parts of the run; absent when jest's set-up did not start them. */
export function realPart(name: "TEST_MONGODB_URI" | "TEST_NATS_URL"): string {
  const address = process.env[name];
  if (!address) throw new Error(`${name} is not set: run the tests through the repository's jest configuration`);
  return address;
}

/** The operator's key of every rig. */
export const operatorKey: string = "operator-key-of-the-tests-0123456789abcdef";

/** Under which delegations of every rig are proved. */
export const delegationSecret: string = "delegation-secret-of-the-tests-0123456789";

/** Environment of an identity with a database and a stream of its own. */
export function identityEnvironment(issuers: object[]): Record<string, string> {
  const own = randomUUID().replaceAll("-", "").slice(0, 16);
  const { privateKey } = generateKeyPairSync("ed25519");
  return {
    HOST: "127.0.0.1",
    GRPC_PORT: "0",
    HTTP_PORT: "0",
    ADMIN_PORT: "0",
    LOG_LEVEL: "fatal",
    MONGODB_URI: realPart("TEST_MONGODB_URI"),
    MONGODB_DATABASE: `t_${own}`,
    NATS_URL: realPart("TEST_NATS_URL"),
    NATS_STREAM: `t_${own}`,
    CONTEXT_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
    DELEGATION_SECRET: delegationSecret,
    OPERATOR_KEY: operatorKey,
    OIDC_ISSUERS: JSON.stringify(issuers),
    OUTBOUND_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  };
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

/** A running identity with a real issuer and two organisations: acme (ada) and globex (hank). */
export interface IdentityRig extends AsyncDisposable {
  config: IdentityConfig;
  service: Pick<RunningService, "addresses">;
  provider: LoopbackIssuer;
  acme: CreateOrganisationResponse;
  globex: CreateOrganisationResponse;
  as(shown: Shown): IdentityClients;
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
  const environment = { ...identityEnvironment([trusted, ...(o.otherIssuers ?? [])]), ...o.settings };
  const config = readConfig(environment);
  parts.defer(() => dropDatabase(config));
  const service = parts.use(
    o.ownProcess ? await startIdentityProcess(environment) : await startIdentityService(config),
  );
  const transports: MeshTransport[] = [];
  parts.defer(() => {
    for (const transport of transports) transport.close();
  });
  const as = (shown: Shown) => {
    const transport = createMeshTransport({ addresses: service.addresses.grpc, interceptors: [showing(shown)] });
    transports.push(transport);
    return clientsOver(transport);
  };
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

async function dropDatabase({ MONGODB_URI: uri, MONGODB_DATABASE: database }: IdentityConfig): Promise<void> {
  await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  await store.database.dropDatabase();
}

/** How a call failed, as a program sees it. */
export interface Failure {
  code: Code;
  reason: string | undefined;
  message: string;
  metadata: Record<string, string>;
  fields: string[];
}

/** Waits for a call to fail. Throws when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  if (!error) throw new Error("the call succeeded");
  const [info] = error.findDetails(ErrorInfoSchema);
  const [badRequest] = error.findDetails(BadRequestSchema);
  return {
    code: error.code,
    reason: info?.reason,
    message: error.rawMessage,
    metadata: info?.metadata ?? {},
    fields: (badRequest?.fieldViolations ?? []).map(({ field }) => field),
  };
}

export { Code };
