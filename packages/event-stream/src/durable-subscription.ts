import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import type { Logger } from "@aiplatform/document-store";
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type Consumer as NatsConsumer,
  nanos,
} from "nats";
import { reasonOf } from "./errors.ts";
import type { NatsSession } from "./nats-session.ts";
import type { SubjectNames } from "./subjects.ts";

export interface DurableSubscriptionDependencies {
  session: NatsSession;
  names: SubjectNames;
  logger: Logger;
  durable: string;
  subjects: string[];
  ackWaitMs: number;
  /** Messages asked for at a time. */
  fetchSize: number;
  /** Done before the first message, until it succeeds. */
  prepare?: () => Promise<void>;
  /** Sees to the message's acknowledgement. Never rejects. Called for the next message before it is done with this one. */
  handle: (message: JsMsg) => Promise<void>;
}

const subscribing: Backoff = { minMs: 200, maxMs: 2_000 };
/** A fetch that brought nothing is asked for again after this time; what the stream gets meanwhile comes at once. */
const fetchExpiryMs = 30_000;

/** Brings the messages of a durable consumer, for ever: through outages, and when the stream was lost and made again. */
export class DurableSubscription {
  readonly #dependencies: DurableSubscriptionDependencies;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #fetching: ConsumerMessages | undefined;
  #prepared = false;

  constructor(dependencies: DurableSubscriptionDependencies) {
    this.#dependencies = dependencies;
    this.#running = this.#run();
  }

  /** Aborts when the subscription closes: events that are not begun by then are returned. */
  get closing(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves once the messages in hand are done with. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#fetching?.stop();
    await this.#running;
  }

  /** Waits that long, or until the subscription closes. */
  async pause(ms: number): Promise<void> {
    await pause(ms, this.#stop.signal);
  }

  async #run(): Promise<void> {
    // The maker of this object uses it in `handle`: it has to be finished first.
    await Promise.resolve();
    const { session, durable, logger } = this.#dependencies;
    // A stream that was made again has lost the consumer: look for it at once rather than when the fetch expires.
    const detach = session.onReady(() => this.#fetching?.stop());
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      try {
        const consumer = await this.#ensureConsumer();
        failures = 0;
        for (;;) if (!(await this.#handleFetch(consumer))) break;
      } catch (error) {
        failures += 1;
        if (failures % 20 === 3) logger.warn({ ...reasonOf(error), durable }, "failed to read events, retrying");
        if (failures > 1 && session.connected) session.suspect();
        await this.pause(backoffMs(subscribing, failures));
      }
    }
    detach();
  }

  async #ensureConsumer(): Promise<NatsConsumer> {
    const { session, names, durable, subjects, ackWaitMs, prepare } = this.#dependencies;
    if (!this.#prepared) {
      await prepare?.();
      this.#prepared = true;
    }
    const { manager, connection } = session.ready();
    await manager.consumers.add(names.stream, {
      durable_name: durable,
      filter_subjects: subjects.map((subject) => names.toWire(subject)),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      // Unlimited: NATS would drop the event after the last delivery, where we put it among the dead letters.
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
    return connection.jetstream().consumers.get(names.stream, durable);
  }

  /** Answers false when the consumer has to be looked up again. */
  async #handleFetch(consumer: NatsConsumer): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const { session, fetchSize, ackWaitMs, handle } = this.#dependencies;
    const { incarnation } = session.ready();
    this.#fetching = await consumer.fetch({ max_messages: fetchSize, expires: fetchExpiryMs });
    const held = new Set<JsMsg>();
    const handled: Promise<void>[] = [];
    // What waits here behind a slow handler must not be delivered to another replica meanwhile.
    const extend = setInterval(() => {
      for (const message of held) message.working();
    }, ackWaitMs / 3);
    try {
      for await (const message of this.#fetching) {
        held.add(message);
        handled.push(handle(message).finally(() => held.delete(message)));
      }
      await Promise.all(handled);
    } finally {
      clearInterval(extend);
      this.#fetching = undefined;
    }
    return session.ready().incarnation === incarnation;
  }
}

/** Has the message delivered again after a moment. */
export function nack(message: JsMsg, afterMs: number): void {
  try {
    message.nak(afterMs);
  } catch {
    // The connection is gone; the event comes again when its time is up.
  }
}
