import type { Logger, OutboxRecord } from "@aiplatform/document-store";
import { createInstruments, type Measuring } from "@aiplatform/telemetry";
import type { MsgHdrs, NatsError } from "nats";
import { type BatchConsumerOptions, startBatchConsumer } from "./batch-consumer.ts";
import { recordSubject, toHeaders } from "./cloud-event.ts";
import { type Consumer, type ConsumerOptions, startConsumer } from "./consumer.ts";
import { EventDeclarationError, EventStreamUnavailableError } from "./errors.ts";
import { streamMetrics } from "./event-metrics.ts";
import { beginSending } from "./event-trace.ts";
import { NatsSession } from "./nats-session.ts";
import { defaultLimits, type StreamLimits } from "./stream-limits.ts";
import { isKept, type SubjectNames, subjectNames } from "./subjects.ts";

export interface EventStreamOptions extends Measuring {
  /** `nats://host:port`, several separated by commas. */
  servers: string;
  /** Name of the client, as NATS shows it. */
  name: string;
  logger?: Logger;
  /** Default `aiplatform`. Another name is another world on the same server: subjects and dead letters are apart as well. */
  streamName?: string;
  limits?: Partial<StreamLimits>;
  /** How long a publish may wait for its acknowledgement, ms. Default 5 000. */
  ackTimeoutMs?: number;
}

/** A message on a core subject: seen by who listens now, kept by nobody. */
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
   * Publishes in this order and resolves when every record is acknowledged; until then none may be taken as published.
   * Rejects with {@link EventStreamUnavailableError}. Publishing again is safe: a repeat is recognised by its id.
   */
  publish(records: readonly OutboxRecord[]): Promise<void>;
  /** Sends at once, at most once, to who listens now; dropped silently while NATS is away. For wake-ups only. */
  announce(subject: string, data: Uint8Array): void;
  /**
   * Receives announcements and, as they are published, events: those of others, never one's own. Survives reconnection; what
   * is sent meanwhile is missed.
   */
  listen(subject: string, handler: (message: Announcement) => void): { close(): void };
  /** Starts handling events, each with one effect. */
  consume(options: ConsumerOptions): Consumer;
  /** Starts handling events by the batch; the handler recognises repeats itself. */
  consumeBatches(options: BatchConsumerOptions): Consumer;
  /** Changes when the stream was lost and made anew; undefined while it cannot be told. */
  incarnation(): string | undefined;
  /** Calls back each time the stream has become reachable. */
  onReady(listener: () => void): { close(): void };
  close(): Promise<void>;
}

const defaultAckTimeoutMs = 5_000;

/** Answers at once, whether or not NATS is there: what needs it says so until it is. */
export async function connectEventStream(options: EventStreamOptions): Promise<EventStream> {
  const { servers, name, ackTimeoutMs = defaultAckTimeoutMs, meter, tracer } = options;
  const logger = options.logger ?? { info: () => undefined, warn: () => undefined };
  const names = subjectNames(options.streamName ?? "aiplatform");
  const session = new NatsSession({ servers, name, names, logger, limits: { ...defaultLimits, ...options.limits } });
  const consumers = new Set<Consumer>();
  const parts = { session, names, logger, meter, tracer };
  const stopShowing = showStream(parts);

  const publish = async (records: readonly OutboxRecord[]) => {
    const { connection } = session.ready();
    const stream = connection.jetstream({ timeout: ackTimeoutMs });
    const send = (staged: OutboxRecord) => {
      const { record, end } = beginSending(tracer, staged);
      const fields = { msgID: record.id, headers: toHeaders(record), expect: { streamName: names.stream } };
      return stream.publish(names.toWire(recordSubject(record)), record.data, fields).finally(end);
    };
    const acknowledged = await Promise.allSettled(records.map(send));
    const failure = acknowledged.find((outcome) => outcome.status === "rejected");
    if (!failure) return;
    session.suspect();
    throw new EventStreamUnavailableError("NATS did not acknowledge every event", { cause: failure.reason });
  };

  const keep = (consumer: Consumer) => {
    consumers.add(consumer);
    return consumer;
  };

  const close = async () => {
    for (const stop of stopShowing) stop();
    await Promise.all([...consumers].map((consumer) => consumer.close()));
    await session.close();
  };

  return {
    connected: () => session.connected,
    ping: async () => {
      const { manager } = session.ready();
      await manager.streams.info(names.stream).catch((error: unknown) => {
        session.suspect();
        throw new EventStreamUnavailableError("JetStream does not answer", { cause: error });
      });
    },
    publish,
    announce: (subject, data) => {
      if (isKept(subject))
        throw new EventDeclarationError(`${subject} is kept by the stream; announce on wakeSubject(…)`);
      if (session.connected) session.connection().publish(names.toWire(subject), data);
    },
    listen: (subject, handler) =>
      listen(session, names.toWire(subject), (message) => {
        handler({ ...message, subject: names.fromWire(message.subject) });
      }),
    consume: (consumerOptions) => keep(startConsumer({ ...parts, ...consumerOptions })),
    consumeBatches: (consumerOptions) => keep(startBatchConsumer({ ...parts, ...consumerOptions })),
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

interface Parts extends Measuring {
  session: NatsSession;
  names: SubjectNames;
}

/** What of the stream itself is measured. Answers how to stop. */
function showStream({ session, names, meter }: Parts): (() => void)[] {
  const { nats_connected, dead_letters } = createInstruments(meter, {
    nats_connected: streamMetrics.nats_connected,
    dead_letters: streamMetrics.dead_letters,
  });
  return [
    nats_connected.observe((tell) => tell(session.isReady ? 1 : 0)),
    dead_letters.observe(async (tell) => {
      const { state } = await session.ready().manager.streams.info(names.deadStream);
      tell(state.messages);
    }),
  ];
}

function listen(session: NatsSession, subject: string, handler: (message: Announcement) => void): { close(): void } {
  let unsubscribe = () => {};
  const detach = session.onConnection((connection) => {
    const subscription = connection.subscribe(subject, {
      callback: (error: NatsError | null, message) => {
        if (error) return;
        handler({ subject: message.subject, data: message.data, headers: headerMap(message.headers) });
      },
    });
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
