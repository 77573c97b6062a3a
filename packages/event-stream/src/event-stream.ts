import type { Logger, OutboxRecord } from "@aiplatform/document-store";
import { createInstruments, type Measuring } from "@aiplatform/telemetry";
import type { Msg, MsgHdrs, NatsError } from "nats";
import { type BatchConsumerOptions, startBatchConsumer } from "./batch-consumer.ts";
import { type Consumer, type ConsumerOptions, startConsumer } from "./consumer.ts";
import { EventDeclarationError, EventStreamUnavailableError } from "./errors.ts";
import { streamMetrics } from "./event-metrics.ts";
import { signEvent } from "./event-signature.ts";
import { EventTrust, type TrustOptions } from "./event-trust.ts";
import { type Examination, examineStream, type KnownOfStream } from "./examine-stream.ts";
import type { NatsLogin } from "./nats-login.ts";
import { NatsSession } from "./nats-session.ts";
import { type Acknowledged, publishEvents } from "./publish-events.ts";
import { offerRedrive, type Redriven, redriveAll } from "./redrive.ts";
import { defaultLimits, type StreamLimits } from "./stream-limits.ts";
import { makeRoom, StreamRoom } from "./stream-room.ts";
import { isKept, type SubjectNames, subjectNames } from "./subjects.ts";

export interface EventStreamOptions extends Measuring, TrustOptions {
  /** `nats://host:port`, several separated by commas. */
  servers: string;
  /** Name of the client, as NATS shows it; with a login, the user's. */
  name: string;
  /** Default: what the addresses say. */
  login?: NatsLogin;
  logger?: Logger;
  /** Default `aiplatform`. Another name keeps subjects and dead letters on the same server apart. */
  streamName?: string;
  limits?: Partial<StreamLimits>;
  /** How long a publish may wait for its acknowledgement, ms. Default 5 000. */
  ackTimeoutMs?: number;
  /**
   * Durable consumers that have to be done with an event before it may leave to make room. Default: all there are. What
   * others read stays for seven days, or until there is no room.
   */
  readers?: readonly string[];
  /**
   * Whether this process owns the streams: removes events that all readers are done with when the stream is half full, and,
   * with an NKey, is the only one to make and change the streams. One service does. Default false.
   */
  makesRoom?: boolean;
}

/** A message on a core subject: delivered to current listeners, never kept. */
export interface Announcement {
  subject: string;
  data: Uint8Array;
  headers: ReadonlyMap<string, string>;
}

export interface EventStream extends AsyncDisposable {
  connected(): boolean;
  /** Resolves when NATS answered and the streams exist; rejects with {@link EventStreamUnavailableError}. */
  ping(): Promise<void>;
  /**
   * Publishes in this order and resolves when every record is acknowledged; until then none may be taken as published. Answers
   * the newest of them. Publishing again is safe: a repeat is recognised by its id.
   * @throws EventStreamUnavailableError; EventStreamFullError while there is no room
   */
  publish(records: readonly OutboxRecord[]): Promise<Acknowledged | undefined>;
  /** Sends at once, at most once, to who listens now; dropped silently while NATS is away. For wake-ups only. */
  announce(subject: string, data: Uint8Array): void;
  /**
   * Receives announcements and, as they are published, events: those of others, never one's own. Survives reconnection; what
   * is sent meanwhile is missed. An event is received once it is known who signed it; an announcement proves nothing, and may do
   * no more than have something looked at.
   */
  listen(subject: string, handler: (message: Announcement) => void): { close(): void };
  /** Starts handling events, each with one effect. */
  consume(options: ConsumerOptions): Consumer;
  /** Starts handling events by the batch; the handler recognises repeats itself. */
  consumeBatches(options: BatchConsumerOptions): Consumer;
  /** Has every consumer's dead letters tried again by the service it belongs to. @throws EventStreamUnavailableError */
  redriveAll(): Promise<Redriven[]>;
  /** Compares the stream with what was known of it, and makes room where that is this process' task. */
  examine(known: KnownOfStream): Promise<Examination>;
  /** Changes when the stream was lost and made again; undefined while it cannot be told. */
  incarnation(): string | undefined;
  /** Calls back each time the stream has become reachable. */
  onReady(listener: () => void): { close(): void };
  close(): Promise<void>;
}

const defaultAckTimeoutMs = 5_000;

/** Answers at once, whether or not NATS is there: what needs it says so until it is. */
export async function connectEventStream(options: EventStreamOptions): Promise<EventStream> {
  const { servers, name, ackTimeoutMs = defaultAckTimeoutMs, meter, tracer, readers } = options;
  const { keys, login = {}, makesRoom = false } = options;
  const logger = options.logger ?? { info: () => undefined, warn: () => undefined };
  const names = subjectNames(options.streamName ?? "aiplatform");
  const limits = { ...defaultLimits, ...options.limits };
  // Without logins everyone may, and whichever process is there first makes them.
  const makesStreams = makesRoom || login.nkey === undefined;
  const session = new NatsSession({ servers, name, login, names, logger, limits, makesStreams });
  const trust = new EventTrust({ ...options, session, names, logger });
  const clock = options.clock ?? (() => new Date());
  const dependencies = { session, names, logger, meter, tracer, keys, trust, clock };
  const stopShowing = showStream(dependencies);
  const room = new StreamRoom(dependencies);
  const consumers = keepConsumers(dependencies);

  const sign = (fields: MsgHdrs, data: Uint8Array) => signEvent(keys, fields, data, clock());

  const examine = async (known: KnownOfStream) => {
    const { manager } = session.ready();
    const examination = await examineStream({ session, names, readers, name }, known);
    if (makesRoom && examination.losses.length === 0) await makeRoom(manager, names, examination.mark.verified);
    return examination;
  };

  const close = async () => {
    for (const stop of stopShowing) stop();
    room.close();
    await consumers.close();
    await session.close();
  };

  return {
    connected: () => session.connected,
    ping: () => ping(dependencies),
    publish: (records) => publishEvents({ session, names, room, tracer, ackTimeoutMs, sign }, records),
    announce: (subject, data) => {
      if (isKept(subject))
        throw new EventDeclarationError(`${subject} is kept by the stream; announce on wakeSubject(…)`);
      if (session.connected) session.connection().publish(names.toWire(subject), data);
    },
    listen: (subject, handler) => listen(dependencies, subject, handler),
    consume: (wanted) => consumers.keep(startConsumer({ ...dependencies, ...wanted }), wanted.durable),
    consumeBatches: (wanted) => consumers.keep(startBatchConsumer({ ...dependencies, ...wanted }), wanted.durable),
    redriveAll: () => redriveAll(dependencies),
    examine,
    incarnation: () => {
      try {
        return session.ready().incarnation;
      } catch {
        return undefined;
      }
    },
    onReady: (listener) => ({ close: session.onReady(listener) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface StreamDependencies extends Measuring {
  session: NatsSession;
  names: SubjectNames;
}

async function ping({ session, names }: StreamDependencies): Promise<void> {
  const { manager } = session.ready();
  await manager.streams.info(names.stream).catch((error: unknown) => {
    session.suspect();
    throw new EventStreamUnavailableError("JetStream does not answer", { cause: error });
  });
}

/** Holds the consumers that run, and offers the operator to try their dead letters again. */
function keepConsumers(dependencies: Parameters<typeof offerRedrive>[0]) {
  const consumers = new Set<Consumer>();
  const offers: (() => void)[] = [];
  return {
    keep(consumer: Consumer, durable: string): Consumer {
      consumers.add(consumer);
      offers.push(offerRedrive(dependencies, { durable, consumer }));
      return consumer;
    },
    async close(): Promise<void> {
      for (const stop of offers) stop();
      await Promise.all([...consumers].map((consumer) => consumer.close()));
    },
  };
}

/** What of the stream itself is measured. Answers how to stop. */
function showStream({ session, names, meter }: StreamDependencies): (() => void)[] {
  const { nats_connected, dead_letters } = createInstruments(meter, {
    nats_connected: streamMetrics.nats_connected,
    dead_letters: streamMetrics.dead_letters,
  });
  return [
    nats_connected.observe((report) => report(session.isReady ? 1 : 0)),
    dead_letters.observe(async (report) => {
      const { state } = await session.ready().manager.streams.info(names.deadStream);
      report(state.messages);
    }),
  ];
}

function listen(
  { session, names, trust, logger }: StreamDependencies & { trust: EventTrust; logger: Logger },
  subject: string,
  handler: (message: Announcement) => void,
): { close(): void } {
  let unsubscribe = () => {};
  const hear = ({ subject: wireSubject, data, headers }: Msg) => {
    const heard = { subject: names.fromWire(wireSubject), data, headers };
    if (isKept(heard.subject) && !trust.hears(heard)) return;
    try {
      handler({ ...heard, headers: headerMap(headers) });
    } catch (error) {
      logger.warn({ err: error, subject }, "a message that was heard could not be handled");
    }
  };
  const detach = session.onConnection((connection) => {
    const callback = (error: NatsError | null, message: Msg) => {
      if (!error) hear(message);
    };
    const subscription = connection.subscribe(names.toWire(subject), { callback });
    unsubscribe = () => subscription.unsubscribe();
  });
  return {
    close: () => {
      detach();
      unsubscribe();
    },
  };
}

function headerMap(headers: MsgHdrs | undefined): ReadonlyMap<string, string> {
  return new Map(headers?.keys().map((name) => [name.toLowerCase(), headers.get(name)]) ?? []);
}
