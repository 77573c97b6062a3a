import { DeploymentStatusChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import {
  CredentialChangedSchema,
  OrganisationQuotasSetSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { eventSubject } from "./event-record.ts";
import { inboxPrefix, lookingConsumer } from "./nats-login.ts";
import { platformReaders } from "./stream-of.ts";
import { type SubjectNames, subjectNames, wakeSubject } from "./subjects.ts";

/** Who signs in to NATS: each service, and the operator of the installation, who may do everything. */
export const natsUsers = ["identity", "training", "content", "deployments", "data", "gateway", "operator"] as const;

export type NatsUser = (typeof natsUsers)[number];

/** Subjects that a user may publish to and subscribe to; what is not among them the server refuses. */
export interface NatsPermissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** What a service does on NATS. */
interface Part {
  /** Whether it keeps an outbox: events of its own domain, and looks at whether the stream still has them. */
  publishes: boolean;
  /** Whether it makes, changes and trims the streams. */
  ownsStreams?: true;
  /** Tokens after the wake-up's root, of what its replicas tell each other. */
  wakes?: readonly string[];
  /** Events that every replica hears, beside what its durable consumers read. */
  hears: readonly string[];
}

const credentials = eventSubject(CredentialChangedSchema);
const limits = eventSubject(OrganisationQuotasSetSchema);

const parts: Readonly<Record<Exclude<NatsUser, "operator">, Part>> = {
  identity: { publishes: true, ownsStreams: true, wakes: ["identity", ">"], hears: [credentials, limits] },
  training: { publishes: true, wakes: ["training", ">"], hears: [credentials, limits] },
  content: { publishes: true, wakes: ["content", ">"], hears: [credentials, limits] },
  deployments: {
    publishes: true,
    wakes: ["deployments", ">"],
    hears: [credentials, limits, "aiplatform.deployments.>"],
  },
  data: { publishes: true, wakes: ["data", ">"], hears: [credentials, limits] },
  gateway: { publishes: false, hears: [credentials, eventSubject(DeploymentStatusChangedSchema)] },
};

const api = "$JS.API";

/** What a user may do on a server that has the stream of that name. */
export function natsPermissions(user: NatsUser, streamName = "aiplatform"): NatsPermissions {
  if (user === "operator") return { publish: [">"], subscribe: [">"] };
  const names = subjectNames(streamName);
  const { publishes, ownsStreams = false, wakes, hears } = parts[user];
  const durables = platformReaders.filter((reader) => reader.startsWith(`${user}-`));
  const wake = wakes ? [names.toWire(wakeSubject(...wakes))] : [];
  return {
    publish: [
      ...(publishes ? [names.toWire(`aiplatform.${user}.>`)] : []),
      names.toWire(eventSubject(CallRefusedSchema)),
      ...wake,
      ...looking(names),
      ...(publishes ? examining(user, names) : []),
      ...durables.flatMap((durable) => consuming(durable, names)),
      ...(durables.length > 0 ? redriving(names) : []),
      ...(ownsStreams ? administering(names) : []),
    ],
    subscribe: [
      `${inboxPrefix(user)}.>`,
      ...hears.map(names.toWire),
      ...wake,
      ...durables.map((durable) => names.toWire(wakeSubject("redrive", durable))),
    ],
  };
}

/** Whether JetStream is there, and how streams and consumers stand. */
function looking({ stream, deadStream }: SubjectNames): string[] {
  const streams = [stream, deadStream].map((name) => `${api}.STREAM.INFO.${name}`);
  const consumers = ["LIST", "INFO"].map((ask) => `${api}.CONSUMER.${ask}.${stream}${ask === "INFO" ? ".*" : ""}`);
  return [`${api}.INFO`, `${api}.STREAM.NAMES`, ...streams, ...consumers];
}

/** Reads what the stream has, to find what it has lost. */
function examining(user: string, { stream }: SubjectNames): string[] {
  const reader = `${stream}.${lookingConsumer(user)}`;
  return [
    `${api}.STREAM.MSG.GET.${stream}`,
    ...["CREATE", "DELETE", "MSG.NEXT"].map((ask) => `${api}.CONSUMER.${ask}.${reader}`),
  ];
}

/** Reads by one durable consumer, and puts what cannot be handled among the dead letters. */
function consuming(durable: string, names: SubjectNames): string[] {
  const consumer = `${names.stream}.${durable}`;
  return [
    ...["DURABLE.CREATE", "MSG.NEXT"].map((ask) => `${api}.CONSUMER.${ask}.${consumer}`),
    `$JS.ACK.${consumer}.>`,
    names.deadSubject(durable, "x").replace(/x$/, "*"),
  ];
}

/** Tries dead letters again, and removes those that have had their effect. */
function redriving({ deadStream }: SubjectNames): string[] {
  return [`${api}.STREAM.MSG.GET.${deadStream}`, `${api}.STREAM.MSG.DELETE.${deadStream}`];
}

function administering({ stream, deadStream }: SubjectNames): string[] {
  const both = [stream, deadStream].flatMap((name) =>
    ["CREATE", "UPDATE"].map((ask) => `${api}.STREAM.${ask}.${name}`),
  );
  return [...both, `${api}.STREAM.PURGE.${stream}`];
}

/** The variables of a server's environment in which the users' public keys stand, as its configuration names them. */
export function keyVariable(user: NatsUser): string {
  return `$${user.toUpperCase()}_NKEY`;
}

/** For a client to sign in, s. The server's own default of two is over before a busy machine has signed. */
const loginTimeoutSeconds = 10;

/**
 * The users of a server, as its configuration lists them: without a login it takes no connection.
 * `keyOf` tells a user's public key, or the variable that has it.
 */
export function natsAuthorization(keyOf: (user: NatsUser) => string, streamName = "aiplatform") {
  const users = natsUsers.map((user) => {
    const { publish, subscribe } = natsPermissions(user, streamName);
    const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
    // To answer the operator, who asks for dead letters to be tried again.
    const allow_responses = { max: 1, expires: "2m" };
    return { nkey: keyOf(user), permissions: user === "operator" ? permissions : { ...permissions, allow_responses } };
  });
  return { timeout: loginTimeoutSeconds, users };
}

/** The same as text of a configuration file, which is JSON but for the variables. */
export function authorizationText(keyOf: (user: NatsUser) => string, streamName?: string): string {
  const json = JSON.stringify(natsAuthorization(keyOf, streamName), undefined, 2);
  return `authorization: ${json.replaceAll(/"(\$[A-Z]+_NKEY)"/g, "$1")}\n`;
}
