import type { DocumentStore, Logger } from "@aiplatform/document-store";
import { type ServiceKeys, SignatureError } from "@aiplatform/service-keys";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import type { JetStreamManager, MsgHdrs } from "nats";
import { type ReceivedEvent, subjectOf, toEvent } from "./cloud-event.ts";
import type { DeadLetter } from "./dead-letters.ts";
import { type RefusedBecause, UnverifiedEventError } from "./errors.ts";
import { streamMetrics } from "./event-metrics.ts";
import { eventSignature, signerOfEvent } from "./event-signature.ts";
import type { NatsSession } from "./nats-session.ts";
import { mayPublish } from "./publishers.ts";
import { type SignedSince, type StreamPlace, signedSince } from "./signed-since.ts";
import { deadMaxAgeMs } from "./stream-limits.ts";
import type { SubjectNames } from "./subjects.ts";

/** How events are believed. */
export interface TrustOptions {
  keys: ServiceKeys;
  /** Whether events without a signature are taken: while services of an earlier version still publish. Default false. */
  acceptsUnsigned?: boolean;
  /** The service's own data. It remembers up to where the stream had events without a signature. Default: none are taken. */
  store?: DocumentStore;
  /** Default: the system's clock. */
  clock?: () => Date;
}

interface TrustDependencies extends TrustOptions {
  session: NatsSession;
  names: SubjectNames;
  logger: Logger;
  meter?: Meter | undefined;
}

/** A message, as far as it has to be believed. */
interface Received {
  /** In the contract's spelling. */
  subject: string;
  headers: MsgHdrs | undefined;
  data: Uint8Array;
}

/** A message of the stream. */
export interface Stored extends Received {
  sequence: number;
  /** When the server stored it. */
  storedAt: Date;
}

// How far the clocks of publisher and server may differ. Keys of the inbox live longer, so an old event cannot be sent once more.
const maxClockDifferenceMs = 24 * 3_600_000;
const reportEveryMs = 60_000;

/** Decides which messages are events: those that a service has signed which may publish them. */
export class EventTrust {
  readonly #dependencies: TrustDependencies;
  readonly #count: (reason: RefusedBecause | "invalid") => void;
  #since: SignedSince | undefined;
  #preparing: Promise<void> | undefined;
  #unreported = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: TrustDependencies) {
    this.#dependencies = dependencies;
    const { events_refused_total } = createInstruments(dependencies.meter, {
      events_refused_total: streamMetrics.events_refused_total,
    });
    this.#count = (reason) => events_refused_total.add(1, { reason });
  }

  /** To be done before the first event of the stream is read. */
  async prepare(): Promise<void> {
    const { store, session, acceptsUnsigned = false } = this.#dependencies;
    if (!store || acceptsUnsigned || this.#since) return;
    const { manager } = session.ready();
    // All consumers begin at once.
    this.#preparing ??= this.#find(store, manager).finally(() => {
      this.#preparing = undefined;
    });
    await this.#preparing;
  }

  async #find(store: DocumentStore, manager: JetStreamManager): Promise<void> {
    this.#since = await signedSince(store, () => this.#newestPlaces(manager));
  }

  /** An event of the stream. @throws UnverifiedEventError, InvalidEventError */
  read(message: Stored, attempt: number): ReceivedEvent {
    const place = () => ({ incarnation: this.#dependencies.session.ready().incarnation, sequence: message.sequence });
    const isOld = () => isUpTo(this.#since?.events, place());
    return this.#believed(message, { attempt, at: message.storedAt, withinMs: maxClockDifferenceMs, isOld });
  }

  /** Whether what was heard as it was published is an event. What is not is counted. */
  hears(message: Received): boolean {
    const at = this.#dependencies.clock?.() ?? new Date();
    try {
      this.#believed(message, { attempt: 1, at, withinMs: maxClockDifferenceMs, isOld: () => false });
      return true;
    } catch (error) {
      this.refused(error, message.subject);
      return false;
    }
  }

  /** A dead letter: vouched for by the consumer that had the event, or an event by itself. @throws UnverifiedEventError */
  async readLetter({ headers, data, storedAt, isVouchedFor, ...place }: DeadLetter): Promise<ReceivedEvent> {
    await this.prepare();
    if (isVouchedFor) return toEvent(headers, data, 1);
    const subject = subjectOf(toEvent(headers, data, 1));
    const isOld = () => isUpTo(this.#since?.deadLetters, place);
    return this.#believed({ subject, headers, data }, { attempt: 1, at: storedAt, withinMs: deadMaxAgeMs, isOld });
  }

  /** Counts what was not applied, and tells of it in the log once a minute, without anything of it. */
  refused(error: unknown, by: string): void {
    const reason = error instanceof UnverifiedEventError ? error.reason : "invalid";
    this.#count(reason);
    this.#unreported += 1;
    if (performance.now() - this.#reportedAt < reportEveryMs) return;
    this.#dependencies.logger.warn(
      { reason, by, refused: this.#unreported },
      "events were refused: nothing proves that a service which may publish them did",
    );
    this.#reportedAt = performance.now();
    this.#unreported = 0;
  }

  #believed(
    { subject, headers, data }: Received,
    { attempt, at, withinMs, isOld }: { attempt: number; at: Date; withinMs: number; isOld: () => boolean },
  ): ReceivedEvent {
    if (!headers?.get(eventSignature)) {
      if (!this.#dependencies.acceptsUnsigned && !isOld()) throw new UnverifiedEventError("unsigned");
      return sameSubject(toEvent(headers, data, attempt), subject);
    }
    const { service, signedAt } = this.#signerOf(headers, data);
    const event = toEvent(headers, data, attempt);
    if (!mayPublish(service, event.type)) throw new UnverifiedEventError("publisher");
    if (!(Math.abs(at.getTime() - signedAt.getTime()) <= withinMs)) throw new UnverifiedEventError("time");
    return sameSubject(event, subject);
  }

  #signerOf(headers: MsgHdrs, data: Uint8Array): ReturnType<typeof signerOfEvent> {
    try {
      return signerOfEvent(this.#dependencies.keys, headers, data);
    } catch (error) {
      if (error instanceof SignatureError) throw new UnverifiedEventError("signature");
      throw error;
    }
  }

  async #newestPlaces(manager: JetStreamManager): Promise<SignedSince> {
    const { stream, deadStream } = this.#dependencies.names;
    const [events, deadLetters] = await Promise.all(
      [stream, deadStream].map(async (name) => {
        const { created, state } = await manager.streams.info(name);
        return { incarnation: created, sequence: state.last_seq };
      }),
    );
    if (!events || !deadLetters) throw new Error("a stream gave no information about itself");
    return { events, deadLetters };
  }
}

function sameSubject(event: ReceivedEvent, subject: string): ReceivedEvent {
  if (subjectOf(event) !== subject) throw new UnverifiedEventError("subject");
  return event;
}

function isUpTo(last: StreamPlace | undefined, { incarnation, sequence }: StreamPlace): boolean {
  return last !== undefined && last.incarnation === incarnation && sequence <= last.sequence;
}
