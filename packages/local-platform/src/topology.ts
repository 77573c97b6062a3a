import type { Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts, holdPort } from "./free-port.ts";
import { audience, type ProviderIdentity } from "./identity-provider/provider-identity.ts";
import type { SecretFiles } from "./secrets.ts";
import type { SocialClient } from "./social-provider/social-client.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const host = "127.0.0.1";

/** The ports of one service. */
export interface ServicePorts {
  grpc: number;
  http: number;
  admin: number;
}

/** Where everything listens. */
export interface Topology {
  mongodb: number;
  nats: number;
  identityProvider: number;
  socialProvider: number;
  mailCatcher: { smtp: number; http: number };
  promptStandIn: number;
  identity: ServicePorts;
  /** The first replica is called `training`, the next `training-2`. */
  training: ServicePorts[];
  content: ServicePorts;
  deployments: ServicePorts;
  gateway: ServicePorts;
}

/** Name of the process of a replica of the training service. */
const trainingName = (index: number) => (index === 0 ? "training" : `training-${index + 1}`);

/** The ports of each service process, by its name. */
export function servicePorts({
  identity,
  training,
  content,
  deployments,
  gateway,
}: Topology): Map<string, ServicePorts> {
  const replicas = training.map((ports, index): [string, ServicePorts] => [trainingName(index), ports]);
  return new Map([
    ["identity", identity],
    ...replicas,
    ["content", content],
    ["deployments", deployments],
    ["gateway", gateway],
  ]);
}

/** What people may expect to find at the same place tomorrow. */
const usualPorts: Topology = {
  mongodb: 27117,
  nats: 24222,
  identityProvider: 25080,
  socialProvider: 25081,
  mailCatcher: { smtp: 25025, http: 25082 },
  promptStandIn: 25083,
  identity: { grpc: 25051, http: 25061, admin: 25071 },
  training: [{ grpc: 25052, http: 25062, admin: 25072 }],
  content: { grpc: 25054, http: 25064, admin: 25074 },
  deployments: { grpc: 25055, http: 25065, admin: 25075 },
  gateway: { grpc: 25053, http: 8080, admin: 25073 },
};

/** No service listens here: the platform that holds this port may take the usual ports. */
const usualPortsClaim = 25050;

/**
 * Claims the usual ports for as long as the answer is not closed; undefined when another platform has them. Two that start at
 * once would both find them free, and one of them would never get ready.
 */
export async function claimUsualPorts(): Promise<Server | undefined> {
  return (await holdPort(usualPortsClaim))?.unref();
}

/** Chooses ports: the usual ones where they are free, or, when `usual` is false, any. */
export async function chooseTopology({ usual = false, trainingReplicas = 1 } = {}): Promise<Topology> {
  const wanted = structuredClone(usualPorts);
  while (wanted.training.length < trainingReplicas) wanted.training.push({ grpc: 0, http: 0, admin: 0 });
  const { mongodb, nats, identityProvider, socialProvider, mailCatcher, promptStandIn, ...ours } = wanted;
  const { identity, training, content, deployments, gateway } = ours;
  const services = [identity, content, deployments, gateway, ...training];
  const preferred = [
    mongodb,
    nats,
    identityProvider,
    socialProvider,
    mailCatcher.smtp,
    mailCatcher.http,
    promptStandIn,
    ...services.flatMap(({ grpc, http, admin }) => [grpc, http, admin]),
  ];
  const chosen = await freePorts(usual ? preferred : preferred.map(() => 0));
  const [first = 0, second = 0, third = 0, fourth = 0, smtp = 0, http = 0, fifth = 0, ...ports] = chosen;
  services.forEach((service, index) => {
    const [grpc = 0, http = 0, admin = 0] = ports.slice(3 * index, 3 * index + 3);
    Object.assign(service, { grpc, http, admin });
  });
  const providers = { identityProvider: third, socialProvider: fourth, promptStandIn: fifth };
  const parts = { mongodb: first, nats: second, ...providers, mailCatcher: { smtp, http } };
  return { ...parts, identity, content, deployments, gateway, training };
}

/** `host:port` of a local port. */
export const addressOf = (port: number): string => `${host}:${port}`;

/** URL of a local port. */
export const urlOf = (port: number): string => `http://${host}:${port}`;

/** A process of ours: which file to run, with which settings, and how to see that it is ready. */
export interface ProcessPlan {
  name: string;
  /** Path of its main file. */
  main: string;
  env: Record<string, string>;
  /** URL that answers 200 once it is ready. Absent: it is ready once it runs. */
  readyUrl?: string;
  /** Milliseconds it may take to stop. Default 10 s. */
  graceMs?: number;
}

/** What the processes need to know of the parts. */
export interface Surroundings {
  /** Where everything that is kept lies. */
  directory: string;
  mongodbUri: string;
  natsUrl: string;
  secrets: SecretFiles;
  provider: ProviderIdentity;
  social: SocialClient;
}

/** Main file of a service or example. */
export const mainOf = (folder: string) => join(repository, folder, "src", "main.ts");

const listening = ({ grpc, http, admin }: ServicePorts) => ({
  HOST: host,
  GRPC_PORT: String(grpc),
  HTTP_PORT: String(http),
  ADMIN_PORT: String(admin),
  SHUTDOWN_GRACE_MS: "5000",
});

/** The account platform of the demo, under the name that the specification's path has. */
function socialProviderPlan({ socialProvider, gateway }: Topology, { socialClient }: SecretFiles): ProcessPlan {
  return {
    name: "social-provider",
    main: join(repository, "packages/local-platform/src/social-provider/main.ts"),
    env: {
      HOST: host,
      PORT: String(socialProvider),
      CLIENT_FILE: socialClient,
      ISSUER: urlOf(socialProvider),
      REDIRECT_URI: `${urlOf(gateway.http)}/platform/external-oauth/callback`,
    },
    readyUrl: `${urlOf(socialProvider)}/jwks`,
  };
}

function socialnet({ socialProvider }: Topology, { clientId, clientSecret }: SocialClient): object {
  const client = { client_id: clientId, client_secret: clientSecret, scopes: ["profile"] };
  return { provider: "socialnet", issuer: urlOf(socialProvider), ...client, allow_http: true };
}

function mailCatcherPlan({ mailCatcher: { smtp, http } }: Topology): ProcessPlan {
  return {
    name: "mail-catcher",
    main: join(repository, "packages/local-platform/src/mail-catcher/main.ts"),
    env: { HOST: host, SMTP_PORT: String(smtp), HTTP_PORT: String(http) },
    readyUrl: `${urlOf(http)}/mails`,
  };
}

/** What stands in for a language model. */
function promptStandInPlan({ promptStandIn }: Topology): ProcessPlan {
  return {
    name: "prompt-stand-in",
    main: join(repository, "packages/local-platform/src/prompt-stand-in/main.ts"),
    env: { HOST: host, PORT: String(promptStandIn) },
    readyUrl: `${urlOf(promptStandIn)}/v1/models`,
  };
}

function gatewayPlan({ gateway, identity, training, content, deployments }: Topology, natsUrl: string): ProcessPlan {
  return {
    name: "gateway",
    main: mainOf("services/gateway"),
    env: {
      ...listening(gateway),
      NATS_URL: natsUrl,
      IDENTITY_ADDRESS: addressOf(identity.grpc),
      IDENTITY_HTTP_URL: urlOf(identity.http),
      TRAINING_ADDRESS: training.map(({ grpc }) => addressOf(grpc)).join(","),
      TRAINING_HTTP_URL: urlOf(training[0]?.http ?? 0),
      CONTENT_ADDRESS: addressOf(content.grpc),
      CONTENT_HTTP_URL: urlOf(content.http),
      DEPLOYMENTS_ADDRESS: addressOf(deployments.grpc),
      DEPLOYMENTS_HTTP_URL: urlOf(deployments.http),
    },
    readyUrl: readyUrl(gateway),
  };
}

const readyUrl = ({ admin }: ServicePorts) => `${urlOf(admin)}/readyz`;

/** Content, which sends to the mail catcher and asks what stands in for a language model. */
function contentPlan(
  { content, identity, training, deployments, mailCatcher, promptStandIn }: Topology,
  { stores, secrets }: { stores: Record<string, string>; secrets: SecretFiles },
): ProcessPlan {
  return {
    name: "content",
    main: mainOf("services/content"),
    env: {
      ...listening(content),
      ...stores,
      MONGODB_DATABASE: "content",
      IDENTITY_ADDRESS: addressOf(identity.grpc),
      SMTP_URL: `smtp://${addressOf(mailCatcher.smtp)}`,
      SMTP_TLS: "off",
      PROMPT_API_URL: `${urlOf(promptStandIn)}/v1`,
      PROMPT_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
      PROMPT_MODEL: "stand-in",
      DELEGATION_SECRET_FILE: secrets.delegationSecret,
      TRAINING_ADDRESS: training.map(({ grpc }) => addressOf(grpc)).join(","),
      DEPLOYMENTS_ADDRESS: addressOf(deployments.grpc),
      MAIL_FROM: "AI platform <platform@localhost.localdomain>",
    },
    readyUrl: readyUrl(content),
  };
}

/** The settings of each process. The trainer is not among them: it needs a run. */
export function processPlans(
  topology: Topology,
  { directory, mongodbUri, natsUrl, secrets, provider, social }: Surroundings,
): ProcessPlan[] {
  const { identity, training, deployments, gateway, identityProvider } = topology;
  const stores = { MONGODB_URI: mongodbUri, NATS_URL: natsUrl };
  const issuers = [
    { issuer: provider.issuer, audience, jwks_uri: `${urlOf(identityProvider)}/jwks`, allow_http: true },
  ];
  return [
    {
      name: "identity-provider",
      main: join(repository, "packages/local-platform/src/identity-provider/main.ts"),
      env: { HOST: host, PORT: String(identityProvider), IDENTITY_FILE: secrets.identityProvider },
      readyUrl: `${urlOf(identityProvider)}/jwks`,
    },
    socialProviderPlan(topology, secrets),
    mailCatcherPlan(topology),
    promptStandInPlan(topology),
    {
      name: "identity",
      main: mainOf("services/identity"),
      env: {
        ...listening(identity),
        ...stores,
        MONGODB_DATABASE: "identity",
        IDENTITY_ADDRESS: addressOf(identity.grpc),
        CONTEXT_SIGNING_KEY_FILE: secrets.contextSigningKey,
        API_KEY_HASH_SECRET_FILE: secrets.apiKeyHashSecret,
        DELEGATION_SECRET_FILE: secrets.delegationSecret,
        OPERATOR_KEY_FILE: secrets.operatorKey,
        OIDC_ISSUERS: JSON.stringify(issuers),
        OUTBOUND_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
        PUBLIC_URL: urlOf(gateway.http),
        SECRETS_KEYS_FILE: secrets.secretsKeys,
        EXTERNAL_OAUTH_PROVIDERS: JSON.stringify([socialnet(topology, social)]),
      },
      readyUrl: readyUrl(identity),
    },
    ...training.map((ports, index) => ({
      name: trainingName(index),
      main: mainOf("services/training"),
      env: { ...listening(ports), ...stores, MONGODB_DATABASE: "training", IDENTITY_ADDRESS: addressOf(identity.grpc) },
      readyUrl: readyUrl(ports),
    })),
    contentPlan(topology, { stores, secrets }),
    {
      name: "deployments",
      main: mainOf("services/deployments"),
      env: {
        ...listening(deployments),
        ...stores,
        MONGODB_DATABASE: "deployments",
        IDENTITY_ADDRESS: addressOf(identity.grpc),
        ARTIFACTS_DIRECTORY: join(directory, "artifacts"),
        SERVING_DIRECTORY: join(directory, "serving"),
        ARTIFACT_SOURCES: join(directory, "trainer"),
      },
      readyUrl: readyUrl(deployments),
    },
    gatewayPlan(topology, natsUrl),
  ];
}
