import { join } from "node:path";
import type { OauthClient } from "../fakes/oauth/oauth-client.ts";
import { audience, consoleClientId, type OidcIdentity } from "../fakes/oidc/oidc-identity.ts";
import { addressOf, host, urlOf } from "../infra/ports/addresses.ts";
import { mainOf, type ProcessPlan } from "../infra/processes/process-plan.ts";
import type { SecretFiles } from "./secrets.ts";
import type { StoreLogins } from "./store-logins.ts";
import { type ServicePorts, type Topology, trainingName } from "./topology.ts";

/** What the processes are told besides their ports. */
export interface Surroundings {
  /** Where everything that is kept lies. */
  directory: string;
  mongodbUri: string;
  natsUrl: string;
  secrets: SecretFiles;
  /** How services sign in at servers that are started here; servers that run already have their logins in their addresses. */
  logins: { mongodb?: StoreLogins | undefined; nats?: StoreLogins | undefined };
  provider: OidcIdentity;
  /** Client secret of the console there. */
  consoleClientSecret: string;
  social: OauthClient;
  /** The built console; undefined where there is none. */
  consoleDirectory: string | undefined;
  /** What DATA_SANDBOX is set to; undefined where it is not. */
  dataSandbox: string | undefined;
}

/** The settings of each process. The trainer is not among them: it needs a run. */
export function processPlans(topology: Topology, surroundings: Surroundings): ProcessPlan[] {
  return [
    ...fakePlans(topology, surroundings),
    identityPlan(topology, surroundings),
    ...trainingPlans(topology, surroundings),
    contentPlan(topology, surroundings),
    deploymentsPlan(topology, surroundings),
    dataPlan(topology, surroundings),
    gatewayPlan(topology, surroundings),
  ];
}

/** Name of the identity provider in the paths of signing in. */
const signInId = "local";

function fakePlans(topology: Topology, { secrets }: Surroundings): ProcessPlan[] {
  const { oidc, oauth, smtp, llm, gateway } = topology;
  const env = {
    HOST: host,
    OIDC_PORT: String(oidc),
    OIDC_IDENTITY_FILE: secrets.identityProvider,
    OIDC_CONSOLE_SECRET_FILE: secrets.consoleClientSecret,
    OIDC_REDIRECT_URI: `${urlOf(gateway.http)}/platform/sign-in/${signInId}/callback`,
    OAUTH_PORT: String(oauth),
    OAUTH_CLIENT_FILE: secrets.socialClient,
    OAUTH_ISSUER: urlOf(oauth),
    OAUTH_REDIRECT_URI: `${urlOf(gateway.http)}/platform/external-oauth/callback`,
    SMTP_PORT: String(smtp.smtp),
    SMTP_HTTP_PORT: String(smtp.http),
    LLM_PORT: String(llm),
  };
  const readyUrls = {
    oidc: `${urlOf(oidc)}/jwks`,
    oauth: `${urlOf(oauth)}/jwks`,
    smtp: `${urlOf(smtp.http)}/mails`,
    llm: `${urlOf(llm)}/v1/models`,
  };
  const main = mainOf("packages/local-platform", "src/fakes");
  return Object.entries(readyUrls).map(([fake, url]) => ({
    name: `fake-${fake}`,
    main,
    env: { ...env, FAKE: fake },
    readyUrls: [url],
  }));
}

/** A service builds indexes and migrates documents before it is ready; one that cannot ends by itself. */
const preparedWithinMs = 3_600_000;

interface ServicePlan {
  /** The service's folder, and the name of its process unless another is given. */
  service: string;
  name?: string;
  ports: ServicePorts;
  env: Record<string, string>;
}

function servicePlan({ service, name = service, ports: { grpc, http, admin }, env }: ServicePlan): ProcessPlan {
  const listening = { HOST: host, GRPC_PORT: String(grpc), HTTP_PORT: String(http), ADMIN_PORT: String(admin) };
  return {
    name,
    main: mainOf(`services/${service}`),
    env: { ...listening, SHUTDOWN_GRACE_MS: "5000", ...env },
    readyUrls: [`${urlOf(admin)}/readyz`],
    readyWithinMs: preparedWithinMs,
  };
}

const natsSettings = (service: string, { natsUrl, logins, secrets }: Surroundings) => ({
  ...secrets.serviceKeys(service),
  NATS_URL: natsUrl,
  ...(logins.nats && { NATS_NKEY_FILE: logins.nats.nkeyFile(service) }),
});

/** Stores of a service, and identity, which knows its callers. */
const domainSettings = (service: string, { identity }: Topology, surroundings: Surroundings) => ({
  MONGODB_URI: surroundings.mongodbUri,
  ...(surroundings.logins.mongodb && { MONGODB_PASSWORD_FILE: surroundings.logins.mongodb.passwordFile(service) }),
  MONGODB_DATABASE: service,
  ...natsSettings(service, surroundings),
  IDENTITY_ADDRESS: addressOf(identity.grpc),
});

function identityPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { identity, oidc, gateway } = topology;
  const { secrets, provider, consoleClientSecret } = surroundings;
  const issuer = { issuer: provider.issuer, audience, jwks_uri: `${urlOf(oidc)}/jwks`, allow_http: true };
  const signIn = { id: signInId, name: "the local identity provider", client_id: consoleClientId };
  const issuers = [{ ...issuer, match_verified_email: true, sign_in: signIn }];
  const env = {
    ...domainSettings("identity", topology, surroundings),
    CONTEXT_SIGNING_KEY_FILE: secrets.contextSigningKey,
    API_KEY_HASH_SECRET_FILE: secrets.apiKeyHashSecret,
    DELEGATION_SECRET_FILE: secrets.delegationSecret,
    OPERATOR_KEY_FILE: secrets.operatorKey,
    OIDC_ISSUERS: JSON.stringify(issuers),
    OIDC_CLIENT_SECRETS: JSON.stringify({ [signInId]: consoleClientSecret }),
    OUTBOUND_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    PUBLIC_URL: urlOf(gateway.http),
    SECRETS_KEYS_FILE: secrets.secretsKeys,
    EXTERNAL_OAUTH_PROVIDERS: JSON.stringify([socialnet(topology, surroundings)]),
  };
  return servicePlan({ service: "identity", ports: identity, env });
}

/** The fake OAuth provider, under the name that the specification's path has. */
function socialnet({ oauth }: Topology, { social: { clientId, clientSecret } }: Surroundings): object {
  const client = { client_id: clientId, client_secret: clientSecret, scopes: ["profile"] };
  return { provider: "socialnet", issuer: urlOf(oauth), ...client, allow_http: true };
}

function trainingPlans(topology: Topology, surroundings: Surroundings): ProcessPlan[] {
  const env = {
    ...domainSettings("training", topology, surroundings),
    DEPLOYMENTS_ADDRESS: addressOf(topology.deployments.grpc),
    DATA_ADDRESS: addressOf(topology.data.grpc),
  };
  return topology.training.map((ports, index) =>
    servicePlan({ service: "training", name: trainingName(index), ports, env }),
  );
}

const trainingAddresses = ({ training }: Topology) => training.map(({ grpc }) => addressOf(grpc)).join(",");

function contentPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { content, deployments, data, smtp, llm } = topology;
  const env = {
    ...domainSettings("content", topology, surroundings),
    SMTP_URL: `smtp://${addressOf(smtp.smtp)}`,
    SMTP_TLS: "off",
    PROMPT_API_URL: `${urlOf(llm)}/v1`,
    PROMPT_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    PROMPT_MODEL: "fake-llm",
    DELEGATION_SECRET_FILE: surroundings.secrets.delegationSecret,
    TRAINING_ADDRESS: trainingAddresses(topology),
    DEPLOYMENTS_ADDRESS: addressOf(deployments.grpc),
    DATA_ADDRESS: addressOf(data.grpc),
    MAIL_FROM: "AI platform <platform@localhost.localdomain>",
  };
  return servicePlan({ service: "content", ports: content, env });
}

function deploymentsPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { directory, secrets } = surroundings;
  const env = {
    ...domainSettings("deployments", topology, surroundings),
    SECRETS_KEYS_FILE: secrets.deploymentsSecretsKeys,
    ARTIFACTS_DIRECTORY: join(directory, "artifacts"),
    SERVING_DIRECTORY: join(directory, "serving"),
    ARTIFACT_SOURCES: join(directory, "trainer"),
    TRAINING_ADDRESS: trainingAddresses(topology),
    DATA_ADDRESS: addressOf(topology.data.grpc),
  };
  return servicePlan({ service: "deployments", ports: topology.deployments, env });
}

function dataPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { directory, dataSandbox } = surroundings;
  const env = {
    ...domainSettings("data", topology, surroundings),
    CONTENT_ADDRESS: addressOf(topology.content.grpc),
    DEPLOYMENTS_ADDRESS: addressOf(topology.deployments.grpc),
    DATA_DIRECTORY: join(directory, "data"),
    ...(dataSandbox !== undefined && { DATA_SANDBOX: dataSandbox }),
  };
  return servicePlan({ service: "data", ports: topology.data, env });
}

function gatewayPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { gateway, identity, training, content, deployments, data } = topology;
  const env = {
    ...natsSettings("gateway", surroundings),
    ...(surroundings.consoleDirectory !== undefined && { CONSOLE_DIRECTORY: surroundings.consoleDirectory }),
    PUBLIC_URL: urlOf(gateway.http),
    IDENTITY_ADDRESS: addressOf(identity.grpc),
    IDENTITY_HTTP_URL: urlOf(identity.http),
    TRAINING_ADDRESS: trainingAddresses(topology),
    TRAINING_HTTP_URL: urlOf(training[0]?.http ?? 0),
    CONTENT_ADDRESS: addressOf(content.grpc),
    CONTENT_HTTP_URL: urlOf(content.http),
    DEPLOYMENTS_ADDRESS: addressOf(deployments.grpc),
    DEPLOYMENTS_HTTP_URL: urlOf(deployments.http),
    DATA_ADDRESS: addressOf(data.grpc),
    DATA_HTTP_URL: urlOf(data.http),
  };
  return servicePlan({ service: "gateway", ports: gateway, env });
}
