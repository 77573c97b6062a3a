import { connect, type NatsConnection } from "nats";
import { connectionOptions, type NatsLogin } from "./nats-login.ts";
import { subjectNames } from "./subjects.ts";

/** How one consumer of the stream stands. */
export interface ConsumerState {
  name: string;
  /** Events that it has not been given yet. */
  pending: number;
  /** Events that it was given and has not acknowledged. */
  unacknowledged: number;
}

/** What there is on NATS, as it is. */
export interface StreamInspection {
  /** Version of the server. */
  version: string;
  /** Whether it is one of several. */
  clustered: boolean;
  /** Whether the server has JetStream on, and lets us use it. */
  jetStream: boolean;
  /** The server's clock. Absent without JetStream. */
  now?: Date;
  /** Absent: no service has made it yet. */
  stream?: {
    storage: string;
    replicas: number;
    events: number;
    /** What the stream holds, and what it may. */
    bytes: number;
    maxBytes: number;
    consumers: ConsumerState[];
    deadLetters: number;
  };
}

export interface InspectOptions {
  servers: string;
  streamName: string;
  timeoutMs: number;
  /** The user as whom it looks. Default `doctor`, which a server without logins takes. */
  user?: string;
  /** Default: what the addresses say. */
  login?: NatsLogin;
}

/** Looks at NATS and at the event stream, and changes nothing. @throws the client's error when there is no connection */
export async function inspectEventStream({
  servers,
  streamName,
  timeoutMs,
  user = "doctor",
  login = {},
}: InspectOptions): Promise<StreamInspection> {
  const options = { ...connectionOptions(servers, user, login), name: "doctor", timeout: timeoutMs, reconnect: false };
  const connection = await connect(options);
  try {
    const { version = "unknown", cluster } = connection.info ?? {};
    const clustered = cluster !== undefined;
    if (!connection.info?.jetstream) return { version, clustered, jetStream: false };
    return { version, clustered, ...(await lookAtStream(connection, streamName, timeoutMs)) };
  } finally {
    await connection.close();
  }
}

async function lookAtStream(
  connection: NatsConnection,
  streamName: string,
  timeout: number,
): Promise<Omit<StreamInspection, "version" | "clustered">> {
  const names = subjectNames(streamName);
  const manager = await connection.jetstreamManager({ timeout, checkAPI: false });
  // Asking for the account tells whether we may use JetStream at all.
  await manager.getAccountInfo();
  const found = new Set(await Array.fromAsync(manager.streams.names()));
  if (!found.has(names.stream)) return { jetStream: true };
  const { config, state, ts } = await manager.streams.info(names.stream);
  const consumers = await Array.fromAsync(manager.consumers.list(names.stream));
  const dead = found.has(names.deadStream) ? (await manager.streams.info(names.deadStream)).state.messages : 0;
  return {
    jetStream: true,
    ...(ts !== undefined && { now: new Date(ts) }),
    stream: {
      storage: config.storage,
      replicas: config.num_replicas,
      events: state.messages,
      bytes: state.bytes,
      maxBytes: config.max_bytes,
      consumers: consumers.map(({ name, num_pending, num_ack_pending }) => ({
        name,
        pending: num_pending,
        unacknowledged: num_ack_pending,
      })),
      deadLetters: dead,
    },
  };
}
