import type { Server } from "node:net";
import { addressOf } from "../infra/ports/addresses.ts";
import { freePorts, holdPort } from "../infra/ports/free-port.ts";

export interface ServicePorts {
  grpc: number;
  http: number;
  admin: number;
}

/** Where everything listens. */
export interface Topology {
  mongodb: number;
  nats: number;
  oidc: number;
  oauth: number;
  smtp: { smtp: number; http: number };
  llm: number;
  identity: ServicePorts;
  /** The first replica is called `training`, the next `training-2`. */
  training: ServicePorts[];
  content: ServicePorts;
  deployments: ServicePorts;
  data: ServicePorts;
  gateway: ServicePorts;
}

/** Name of the process of a replica of the training service. */
export const trainingName = (index: number) => (index === 0 ? "training" : `training-${index + 1}`);

/** The ports of each service process, by its name. */
export function servicePorts({
  identity,
  training,
  content,
  deployments,
  data,
  gateway,
}: Topology): Map<string, ServicePorts> {
  const replicas = training.map((ports, index): [string, ServicePorts] => [trainingName(index), ports]);
  return new Map([
    ["identity", identity],
    ...replicas,
    ["content", content],
    ["deployments", deployments],
    ["data", data],
    ["gateway", gateway],
  ]);
}

/** `host:port` of each replica of the training service. */
export const trainingAddressesOf = ({ training }: Pick<Topology, "training">): string[] =>
  training.map(({ grpc }) => addressOf(grpc));

/** The same from start to start, for bookmarks and scripts. */
const defaultPorts: Topology = {
  mongodb: 27117,
  nats: 24222,
  oidc: 25080,
  oauth: 25081,
  smtp: { smtp: 25025, http: 25082 },
  llm: 25083,
  identity: { grpc: 25051, http: 25061, admin: 25071 },
  training: [{ grpc: 25052, http: 25062, admin: 25072 }],
  content: { grpc: 25054, http: 25064, admin: 25074 },
  deployments: { grpc: 25055, http: 25065, admin: 25075 },
  data: { grpc: 25056, http: 25066, admin: 25076 },
  gateway: { grpc: 25053, http: 8080, admin: 25073 },
};

/** No service listens here: the platform that holds this port may take the default ports. */
const defaultPortsClaim = 25050;

/**
 * Claims the default ports until the answer is closed; undefined when another platform has them. Two that start at
 * once would both find them free, and one of them would never get ready.
 */
export async function claimDefaultPorts(): Promise<Server | undefined> {
  return (await holdPort(defaultPortsClaim))?.unref();
}

/** Chooses ports: the default ones where they are free, or, unless `preferDefaults`, any. */
export async function chooseTopology({ preferDefaults = false, trainingReplicas = 1 } = {}): Promise<Topology> {
  const wanted = structuredClone(defaultPorts);
  while (wanted.training.length < trainingReplicas) wanted.training.push({ grpc: 0, http: 0, admin: 0 });
  const { mongodb, nats, oidc, oauth, smtp, llm, ...ours } = wanted;
  const { identity, training, content, deployments, data, gateway } = ours;
  const services = [identity, content, deployments, data, gateway, ...training];
  const preferred = [mongodb, nats, oidc, oauth, smtp.smtp, smtp.http, llm];
  preferred.push(...services.flatMap(({ grpc, http, admin }) => [grpc, http, admin]));
  const ports = (await freePorts(preferDefaults ? preferred : preferred.map(() => 0))).values();
  const next = () => ports.next().value ?? 0;
  // In the order of `preferred`.
  const infra = { mongodb: next(), nats: next() };
  const fakes = { oidc: next(), oauth: next(), smtp: { smtp: next(), http: next() }, llm: next() };
  for (const service of services) Object.assign(service, { grpc: next(), http: next(), admin: next() });
  return { ...infra, ...fakes, ...ours };
}
