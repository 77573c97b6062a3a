import { join } from "node:path";
import type { OauthClient } from "../fakes/oauth/oauth-client.ts";
import { audience, type OidcIdentity } from "../fakes/oidc/oidc-identity.ts";
import { addressOf, host, urlOf } from "../infra/ports/addresses.ts";
import { mainOf, type ProcessPlan } from "../infra/processes/process-plan.ts";
import type { SecretFiles } from "./secrets.ts";
import { type ServicePorts, type Topology, trainingName } from "./topology.ts";

/** What the processes are told besides their ports. */
export interface Surroundings {
  /** Where everything that is kept lies. */
  directory: string;
  mongodbUri: string;
  natsUrl: string;
  secrets: SecretFiles;
  provider: OidcIdentity;
  social: OauthClient;
}

/** The settings of each process. The trainer is not among them: it needs a run. */
export function processPlans(topology: Topology, surroundings: Surroundings): ProcessPlan[] {
  return [
    oidcPlan(topology, surroundings),
    oauthPlan(topology, surroundings),
    smtpPlan(topology),
    llmPlan(topology),
    identityPlan(topology, surroundings),
    ...trainingPlans(topology, surroundings),
    contentPlan(topology, surroundings),
    deploymentsPlan(topology, surroundings),
    gatewayPlan(topology, surroundings),
  ];
}

/** Main file of one of our fakes. */
const fakeMain = (name: string) => mainOf("packages/local-platform", `src/fakes/${name}`);

function oidcPlan({ oidc }: Topology, { secrets }: Surroundings): ProcessPlan {
  return {
    name: "fake-oidc",
    main: fakeMain("oidc"),
    env: { HOST: host, PORT: String(oidc), IDENTITY_FILE: secrets.identityProvider },
    readyUrl: `${urlOf(oidc)}/jwks`,
  };
}

function oauthPlan({ oauth, gateway }: Topology, { secrets }: Surroundings): ProcessPlan {
  return {
    name: "fake-oauth",
    main: fakeMain("oauth"),
    env: {
      HOST: host,
      PORT: String(oauth),
      CLIENT_FILE: secrets.socialClient,
      ISSUER: urlOf(oauth),
      REDIRECT_URI: `${urlOf(gateway.http)}/platform/external-oauth/callback`,
    },
    readyUrl: `${urlOf(oauth)}/jwks`,
  };
}

function smtpPlan({ smtp: { smtp, http } }: Topology): ProcessPlan {
  return {
    name: "fake-smtp",
    main: fakeMain("smtp"),
    env: { HOST: host, SMTP_PORT: String(smtp), HTTP_PORT: String(http) },
    readyUrl: `${urlOf(http)}/mails`,
  };
}

function llmPlan({ llm }: Topology): ProcessPlan {
  return {
    name: "fake-llm",
    main: fakeMain("llm"),
    env: { HOST: host, PORT: String(llm) },
    readyUrl: `${urlOf(llm)}/v1/models`,
  };
}

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
    readyUrl: `${urlOf(admin)}/readyz`,
  };
}

/** Stores of a service, and identity, which knows its callers. */
const domainSettings = (service: string, { identity }: Topology, { mongodbUri, natsUrl }: Surroundings) => ({
  MONGODB_URI: mongodbUri,
  NATS_URL: natsUrl,
  MONGODB_DATABASE: service,
  IDENTITY_ADDRESS: addressOf(identity.grpc),
});

function identityPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { identity, oidc, gateway } = topology;
  const { secrets, provider } = surroundings;
  const issuers = [{ issuer: provider.issuer, audience, jwks_uri: `${urlOf(oidc)}/jwks`, allow_http: true }];
  const env = {
    ...domainSettings("identity", topology, surroundings),
    CONTEXT_SIGNING_KEY_FILE: secrets.contextSigningKey,
    API_KEY_HASH_SECRET_FILE: secrets.apiKeyHashSecret,
    DELEGATION_SECRET_FILE: secrets.delegationSecret,
    OPERATOR_KEY_FILE: secrets.operatorKey,
    OIDC_ISSUERS: JSON.stringify(issuers),
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
  const env = domainSettings("training", topology, surroundings);
  return topology.training.map((ports, index) =>
    servicePlan({ service: "training", name: trainingName(index), ports, env }),
  );
}

const trainingAddresses = ({ training }: Topology) => training.map(({ grpc }) => addressOf(grpc)).join(",");

function contentPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { content, deployments, smtp, llm } = topology;
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
    MAIL_FROM: "AI platform <platform@localhost.localdomain>",
  };
  return servicePlan({ service: "content", ports: content, env });
}

function deploymentsPlan(topology: Topology, surroundings: Surroundings): ProcessPlan {
  const { directory } = surroundings;
  const env = {
    ...domainSettings("deployments", topology, surroundings),
    ARTIFACTS_DIRECTORY: join(directory, "artifacts"),
    SERVING_DIRECTORY: join(directory, "serving"),
    ARTIFACT_SOURCES: join(directory, "trainer"),
  };
  return servicePlan({ service: "deployments", ports: topology.deployments, env });
}

function gatewayPlan(topology: Topology, { natsUrl }: Surroundings): ProcessPlan {
  const { gateway, identity, training, content, deployments } = topology;
  const env = {
    NATS_URL: natsUrl,
    IDENTITY_ADDRESS: addressOf(identity.grpc),
    IDENTITY_HTTP_URL: urlOf(identity.http),
    TRAINING_ADDRESS: trainingAddresses(topology),
    TRAINING_HTTP_URL: urlOf(training[0]?.http ?? 0),
    CONTENT_ADDRESS: addressOf(content.grpc),
    CONTENT_HTTP_URL: urlOf(content.http),
    DEPLOYMENTS_ADDRESS: addressOf(deployments.grpc),
    DEPLOYMENTS_HTTP_URL: urlOf(deployments.http),
  };
  return servicePlan({ service: "gateway", ports: gateway, env });
}
