import {
  type ClientSession,
  DeletedOrganisations,
  type DocumentStore,
  isStoreUnavailable,
  type Logger,
  TransactionConflictError,
} from "@aiplatform/document-store";
import type { ServiceKeys } from "@aiplatform/service-keys";
import type { Measuring } from "@aiplatform/telemetry";
import { context } from "@opentelemetry/api";
import type { JsMsg } from "nats";
import type { ReceivedEvent } from "./cloud-event.ts";
import { ConsumerObservation } from "./consumer-observation.ts";
import { DeadLetters } from "./dead-letters.ts";
import { DurableSubscription, nack } from "./durable-subscription.ts";
import { InvalidEventError, UnverifiedEventError } from "./errors.ts";
import { contextOfMessage, handlingOne } from "./event-trace.ts";
import type { EventTrust } from "./event-trust.ts";
import { Inbox } from "./inbox.ts";
import type { NatsSession } from "./nats-session.ts";
import type { SubjectNames } from "./subjects.ts";

export interface ConsumerOptions {
  /** Name of the consumer; the replicas of one service share it, and each event goes to one of them. */
  durable: string;
  /** From `eventSubject`. */
  subjects: string[];
  /** The effect. It writes through `session` only: event key and effect are one transaction, which may be repeated. */
  handler: (event: ReceivedEvent, session: ClientSession) => Promise<void>;
  store: DocumentStore;
  /**
   * Whether it handles events of organisations that this database knows as deleted. By default they have no effect, so that
   * nothing comes back that was removed.
   */
  hearsOfDeleted?: boolean;
  /** Attempts before an event is put among the dead letters. Default 5. */
  maxDeliver?: number;
  /** Time after which an unacknowledged event is delivered again, ms. Default 30 000. */
  ackWaitMs?: number;
  /** Pauses before the second, third … attempt, ms; the last one repeats. Default 0.5 s, 2 s, 10 s, 30 s. */
  backoffMs?: number[];
}

export interface Consumer extends AsyncDisposable {
  /**
   * Handles this consumer's dead letters once more, one attempt each. Those that succeed are removed, the others stay.
   */
  redrive(): Promise<{ handled: number; failed: number }>;
  /** Finishes the event in hand, gives the others back, stops. */
  close(): Promise<void>;
}

export interface ConsumerDependencies extends ConsumerOptions, Measuring {
  session: NatsSession;
  names: SubjectNames;
  logger: Logger;
  keys: ServiceKeys;
  trust: EventTrust;
}

const fetchSize = 20;
const storePauseMs = 500;
const conflictPauseMs = 5_000;
const defaults = { maxDeliver: 5, ackWaitMs: 30_000, backoffMs: [500, 2_000, 10_000, 30_000] };

/** One event at a time, in the stream's order; a failing one steps aside while the next are handled. */
export function startConsumer(dependencies: ConsumerDependencies): Consumer {
  const consumer = new DurableConsumer(dependencies);
  const close = () => consumer.close();
  return { redrive: () => consumer.redrive(), close, [Symbol.asyncDispose]: close };
}

class DurableConsumer {
  readonly #dependencies: ConsumerDependencies & typeof defaults;
  readonly #inbox: Inbox;
  readonly #deadLetters: DeadLetters;
  readonly #subscription: DurableSubscription;
  readonly #observation: ConsumerObservation;
  readonly #deletedOrganisations: DeletedOrganisations;
  /** The event in hand and those that wait behind it. */
  #handled = Promise.resolve();

  constructor(dependencies: ConsumerDependencies) {
    this.#dependencies = { ...defaults, ...dependencies };
    this.#inbox = new Inbox(dependencies.store, dependencies.durable);
    this.#deadLetters = new DeadLetters(dependencies);
    this.#observation = new ConsumerObservation(dependencies);
    this.#deletedOrganisations = new DeletedOrganisations(dependencies.store);
    this.#subscription = new DurableSubscription({
      ...this.#dependencies,
      fetchSize,
      prepare: async () => {
        await this.#inbox.prepare();
        await dependencies.trust.prepare();
      },
      handle: (message) => {
        const within = contextOfMessage(message.headers);
        this.#handled = this.#handled.then(() => context.with(within, () => this.#handle(message)));
        return this.#handled;
      },
    });
  }

  close(): Promise<void> {
    this.#observation.close();
    return this.#subscription.close();
  }

  redrive(): Promise<{ handled: number; failed: number }> {
    return redriveDeadLetters(this.#deadLetters, this.#dependencies, (event) => this.#effect(event));
  }

  async #handle(message: JsMsg): Promise<void> {
    const { maxDeliver, backoffMs, logger, durable } = this.#dependencies;
    const eventId = message.headers?.get("ce-id") || `stream-${message.seq}`;
    try {
      if (this.#subscription.closing.aborted) return message.nak();
      const event = readOrRefusal(this.#dependencies, message);
      if (event instanceof UnverifiedEventError) return await this.#refuse(message, event);
      const attempt = await this.#attemptNumber(message, eventId);
      if (attempt === undefined) return message.nak();
      if (attempt > maxDeliver) {
        return await this.#publishDeadLetter(message, {
          eventId,
          attempts: attempt - 1,
          cause: "the process ended while handling it",
        });
      }
      const failure = event instanceof Error ? event : await this.#try(message, { ...event, attempt });
      if (failure === undefined) return message.ack();
      if (this.#subscription.closing.aborted && isStoreUnavailable(failure)) return message.nak();
      if (failure instanceof TransactionConflictError) return await this.#stepAside(message, eventId);
      logger.warn({ err: failure, durable, eventId, attempt }, "an event could not be handled");
      if (attempt >= maxDeliver)
        return await this.#publishDeadLetter(message, { eventId, attempts: attempt, cause: describeFailure(failure) });
      message.nak(backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? storePauseMs);
    } catch (error) {
      // Not acknowledged, hence delivered again: nothing is lost by going on.
      logger.warn({ err: error, durable, eventId }, "an event was returned for redelivery");
      nack(message, storePauseMs);
    }
  }

  /** Counted only from the second delivery on, so that the usual case costs no write. Undefined when closing. */
  async #attemptNumber(message: JsMsg, eventId: string): Promise<number | undefined> {
    if (message.info.deliveryCount <= 1) return 1;
    for (;;) {
      try {
        return 1 + (await this.#inbox.countAttempt(eventId));
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        if (this.#subscription.closing.aborted) return undefined;
        message.working();
        await this.#subscription.pause(storePauseMs);
      }
    }
  }

  /** While the database is away the event waits here: that is not the event's fault and no attempt. */
  async #try(message: JsMsg, event: ReceivedEvent): Promise<unknown> {
    for (;;) {
      try {
        await this.#effect(event);
        return undefined;
      } catch (error) {
        if (!isStoreUnavailable(error) || this.#subscription.closing.aborted)
          return error ?? new Error("no cause given");
        message.working();
        await this.#subscription.pause(storePauseMs);
      }
    }
  }

  /** Another transaction is in the way, perhaps a dead process's, which the server ends after a minute. No attempt either. */
  async #stepAside(message: JsMsg, eventId: string): Promise<void> {
    if (message.info.deliveryCount > 1) await this.#inbox.uncountAttempt(eventId);
    message.nak(conflictPauseMs);
  }

  async #effect(event: ReceivedEvent): Promise<void> {
    const { handler, tracer, durable, hearsOfDeleted = false } = this.#dependencies;
    const once = () =>
      this.#inbox.once(event.id, async (session) => {
        const isVoid = !hearsOfDeleted && (await this.#deletedOrganisations.has(event.organisationId, session));
        if (!isVoid) await handler(event, session);
      });
    await this.#observation.attempt(1, () => handlingOne(tracer, { consumer: durable, event }, once));
  }

  async #refuse(message: JsMsg, refusal: UnverifiedEventError): Promise<void> {
    await refuse(this.#dependencies, { message, refusal, deadLetters: this.#deadLetters });
    this.#observation.setAside("refused");
  }

  async #publishDeadLetter(message: JsMsg, o: { eventId: string; attempts: number; cause: string }): Promise<void> {
    const { subject, data, headers } = message;
    await this.#deadLetters.publish({ ...o, subject, data, headers });
    message.ack();
    this.#observation.setAside("dead_lettered");
    this.#dependencies.logger.warn(
      { ...o, durable: this.#dependencies.durable },
      "an event was put among the dead letters",
    );
  }
}

/** The event, once it is known who published it, or why the message is none. */
export function readOrRefusal({ names, trust }: Pick<ConsumerDependencies, "names" | "trust">, message: JsMsg) {
  const { headers, data, seq: sequence, info } = message;
  const subject = names.fromWire(message.subject);
  const storedAt = new Date(Number(info.timestampNanos / 1_000_000));
  try {
    return trust.read({ subject, headers, data, sequence, storedAt }, info.deliveryCount);
  } catch (error) {
    if (error instanceof InvalidEventError || error instanceof UnverifiedEventError) return error;
    throw error;
  }
}

/** Is done with a message of which nothing proves that it is an event. Nothing of it is in the log. */
export async function refuse(
  { trust, durable }: Pick<ConsumerDependencies, "trust" | "durable">,
  { message, refusal, deadLetters }: { message: JsMsg; refusal: UnverifiedEventError; deadLetters: DeadLetters },
): Promise<void> {
  const { subject, data, headers, seq: sequence } = message;
  await deadLetters.keepRefused({ subject, data, headers, sequence, cause: describeFailure(refusal) });
  message.ack();
  trust.refused(refusal, durable);
}

/** Gives each dead letter one more attempt; those that succeed are removed. */
export async function redriveDeadLetters(
  deadLetters: DeadLetters,
  { logger, trust }: Pick<ConsumerDependencies, "logger" | "trust">,
  effect: (event: ReceivedEvent) => Promise<void>,
): Promise<{ handled: number; failed: number }> {
  const result = { handled: 0, failed: 0 };
  for await (const letter of deadLetters.all()) {
    try {
      await effect(await trust.readLetter(letter));
    } catch (error) {
      result.failed += 1;
      logger.warn({ err: error, sequence: letter.sequence }, "a dead letter failed again");
      continue;
    }
    await deadLetters.remove(letter);
    result.handled += 1;
  }
  return result;
}

/** A failure as a dead letter tells of it. */
export function describeFailure(failure: unknown): string {
  return failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);
}
