import { type InspectOptions, inspectEventStream, loginOf, type StreamInspection } from "@aiplatform/event-stream";
import type { Check } from "../check.ts";
import { either, type Finding, failed, fine, reasonOf, warning } from "../finding.ts";

const minVersion = [2, 10] as const;
/** Events that a consumer may be behind. */
const maxPending = 1_000;
const timeoutMs = 10_000;

const away = "start NATS, or correct NATS_URL: nats://host:port, several separated by commas";
/** What the client's words mean. */
const reasons = [
  {
    pattern: /authorization/i,
    says: "NATS refuses the login",
    remedy:
      "NATS_NKEY_FILE names the seed of the service's key, whose public key the server has to know (docs/operations/keys.md)",
  },
  {
    pattern: /^tls$/,
    says: "NATS does not offer TLS, and NATS_CA_FILE is set",
    remedy: "give the NATS servers a certificate, or unset NATS_CA_FILE",
  },
  {
    pattern: /certificate/i,
    says: "the certificate of NATS is not valid, or of another authority",
    remedy: "NATS_CA_FILE names the authority's certificate, and the server's certificate the host in NATS_URL",
  },
  { pattern: /refused|timeout/i, says: "no answer", remedy: away },
];

/** How the stream of events is reached. */
export interface NatsConfig {
  NATS_URL: string;
  NATS_STREAM: string;
  NATS_NKEY?: string | undefined;
  NATS_CA_FILE?: string | undefined;
}

/** NATS, JetStream, and the stream of events. */
export function nats(service: string, config: NatsConfig): Check {
  return { name: "nats", remedy: away, run: () => look({ ...inspectionOf(service, config), timeoutMs }) };
}

/** Where the service looks, and as whom. */
export function inspectionOf(user: string, config: NatsConfig): Omit<InspectOptions, "timeoutMs"> {
  const { NATS_URL: servers, NATS_STREAM: streamName } = config;
  return { servers, streamName, user, login: loginOf(config) };
}

async function look(options: InspectOptions): Promise<Finding[]> {
  try {
    return findings(await inspectEventStream(options), options.streamName);
  } catch (error) {
    const reason = reasonOf(error);
    const known = reasons.find(({ pattern }) => pattern.test(reason));
    return [known ? failed(known.says, known.remedy) : failed(reason, away)];
  }
}

const lonely = warning(
  "NATS is a cluster, and the stream has one copy",
  "set NATS_STREAM_REPLICAS to 3 in every service: losing one server then stops nothing",
);

function findings({ version, clustered, jetStream, stream }: StreamInspection, streamName: string): Finding[] {
  const server = versionFinding(version);
  if (!jetStream)
    return [server, failed("JetStream is off", "start nats-server with --jetstream (or jetstream {} in its file)")];
  if (!stream) return [server, fine(`JetStream is on; the first service makes the stream ${streamName}`)];
  const { storage, replicas, events, consumers, deadLetters } = stream;
  const says = `stream ${streamName}: ${events} events on ${storage}, ${replicas} ${replicas === 1 ? "copy" : "copies"}`;
  const inMemory = failed(
    says,
    `events are lost with the server: nats stream rm ${streamName} once the services are stopped; they make it again on file`,
  );
  return [
    server,
    either(storage === "file", says, inMemory),
    ...(clustered && replicas === 1 ? [lonely] : []),
    lag(consumers),
    either(
      deadLetters === 0,
      "no dead letters",
      warning(`${deadLetters} dead letters`, "docs/operations/failures.md says how to read and re-drive them"),
    ),
  ];
}

function versionFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1]);
  return either(
    isNew,
    `version ${version}`,
    failed(`version ${version}`, `the platform needs NATS ${minVersion.join(".")} or newer`),
  );
}

function lag(consumers: NonNullable<StreamInspection["stream"]>["consumers"]): Finding {
  const behind = consumers.filter(({ pending, unacknowledged }) => pending + unacknowledged > maxPending);
  const list = behind.map(({ name, pending, unacknowledged }) => `${name} by ${pending + unacknowledged}`).join(", ");
  const remedy = "look at the log of the service whose name the consumer begins with, and give it replicas";
  return either(
    behind.length === 0,
    `${consumers.length} consumers keep up`,
    warning(`consumers are behind: ${list}`, remedy),
  );
}
