import { setImmediate as turn } from "node:timers/promises";
import { isStoreUnavailable } from "@aiplatform/document-store";
import { context } from "@opentelemetry/api";
import type { JsMsg } from "nats";
import type { ReceivedEvent } from "./cloud-event.ts";
import {
  type Consumer,
  type ConsumerDependencies,
  describeFailure,
  readOrRefusal,
  redriveDeadLetters,
  refuse,
} from "./consumer.ts";
import { ConsumerObservation } from "./consumer-observation.ts";
import { DeadLetters } from "./dead-letters.ts";
import { DurableSubscription, nack } from "./durable-subscription.ts";
import { UnverifiedEventError } from "./errors.ts";
import { contextOfMessage, handlingBatch } from "./event-trace.ts";

export interface BatchConsumerOptions {
  /** Name of the consumer; the replicas of one service share it, and each event goes to one of them. */
  durable: string;
  /** From `eventSubject`. */
  subjects: string[];
  /**
   * The effect of all these events. There is no inbox here: events come again, also when they have had their effect, and
   * what is written has to be recognised by their ids.
   */
  handler: (events: readonly ReceivedEvent[]) => Promise<void>;
  /** Most events in one call. Default 500. */
  maxBatch?: number;
  /** Events that arrive within this time are handled together, ms. Default 50: at most 20 calls a second. */
  gatherMs?: number;
  /** Attempts before an event that fails on its own is put among the dead letters. Default 5. */
  maxDeliver?: number;
  /**
   * Whether a failure means that something which the handler needs is away for a while: the events wait for it as they do for the
   * database. By default nothing but the database is waited for.
   */
  isAway?: (error: unknown) => boolean;
  /** Time after which an unacknowledged event is delivered again, ms. Default 30 000. */
  ackWaitMs?: number;
}

type BatchConsumerDependencies = Pick<
  ConsumerDependencies,
  "session" | "names" | "logger" | "meter" | "tracer" | "keys" | "trust"
> &
  BatchConsumerOptions;

interface Waiting {
  message: JsMsg;
  done: () => void;
}

const fetchSize = 1_000;
const storePauseMs = 500;
/** Some 2 ms. */
const verifiedInARow = 20;
const defaults = { maxBatch: 500, gatherMs: 50, maxDeliver: 5, ackWaitMs: 30_000 };

/** Events by the batch, one batch at a time: for effects that are one cheap write each and repeatable. */
export function startBatchConsumer(dependencies: BatchConsumerDependencies): Consumer {
  const consumer = new DurableBatchConsumer(dependencies);
  const close = () => consumer.close();
  return { redrive: () => consumer.redrive(), close, [Symbol.asyncDispose]: close };
}

class DurableBatchConsumer {
  readonly #dependencies: BatchConsumerDependencies & typeof defaults;
  readonly #deadLetters: DeadLetters;
  readonly #subscription: DurableSubscription;
  readonly #observation: ConsumerObservation;
  #waiting: Waiting[] = [];
  #handling = false;

  constructor(dependencies: BatchConsumerDependencies) {
    this.#dependencies = { ...defaults, ...dependencies };
    this.#deadLetters = new DeadLetters(dependencies);
    this.#observation = new ConsumerObservation(dependencies);
    const handle = (message: JsMsg) => this.#enqueue(message);
    const prepare = () => dependencies.trust.prepare();
    this.#subscription = new DurableSubscription({ ...this.#dependencies, fetchSize, handle, prepare });
  }

  close(): Promise<void> {
    this.#observation.close();
    return this.#subscription.close();
  }

  redrive(): Promise<{ handled: number; failed: number }> {
    return redriveDeadLetters(this.#deadLetters, this.#dependencies, (event) => this.#effect([event]));
  }

  #enqueue(message: JsMsg): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ message, done: resolve });
    if (!this.#handling) void this.#handleWaiting();
    return promise;
  }

  async #handleWaiting(): Promise<void> {
    this.#handling = true;
    while (this.#waiting.length > 0) {
      await this.#subscription.pause(this.#dependencies.gatherMs);
      const batch = this.#waiting.splice(0, this.#dependencies.maxBatch);
      try {
        await this.#handle(batch.map(({ message }) => message));
      } catch (error) {
        // Not acknowledged, hence delivered again: nothing is lost by going on.
        this.#dependencies.logger.warn(
          { err: error, durable: this.#dependencies.durable },
          "events were returned for redelivery",
        );
        for (const { message } of batch) nack(message, storePauseMs);
      }
      for (const { done } of batch) done();
    }
    this.#handling = false;
  }

  async #handle(messages: JsMsg[]): Promise<void> {
    const readable = await this.#readable(messages);
    if (readable.length === 0) return;
    const failure = await this.#try(readable.map(({ event }) => event));
    if (failure === undefined) return acknowledge(readable);
    if (this.#subscription.closing.aborted) return giveAllBack(readable);
    // At least one of them fails: each is handled on its own, so that the others pass.
    for (const one of readable) await this.#handleAlone(one);
  }

  async #handleAlone({ message, event }: Received): Promise<void> {
    const failure = await this.#try([event]);
    if (failure === undefined) message.ack();
    // What it needs was away when we had to go: that is no fault of the event's, however often it came.
    else if (this.#subscription.closing.aborted && this.#isAway(failure)) nack(message, 0);
    else await this.#giveUpOrRetry(message, failure);
  }

  /** What is no event, or nothing proves to be one, steps out of the batch. */
  async #readable(messages: JsMsg[]): Promise<Received[]> {
    const received: Received[] = [];
    for (const [index, message] of messages.entries()) {
      // Verifying takes time of which calls need some.
      if (index % verifiedInARow === verifiedInARow - 1) await turn();
      const event = readOrRefusal(this.#dependencies, message);
      if (event instanceof UnverifiedEventError) {
        await refuse(this.#dependencies, { message, refusal: event, deadLetters: this.#deadLetters });
        this.#observation.setAside("refused");
      } else if (event instanceof Error) await this.#giveUpOrRetry(message, event);
      else received.push({ message, event });
    }
    return received;
  }

  /** While the database, or what else they need, is away the events wait here. Answers the failure, if there is one. */
  async #try(events: ReceivedEvent[]): Promise<unknown> {
    for (;;) {
      try {
        await this.#effect(events);
        return undefined;
      } catch (error) {
        if (!this.#isAway(error) || this.#subscription.closing.aborted) return error ?? new Error("no cause given");
        await this.#subscription.pause(storePauseMs);
      }
    }
  }

  #isAway(error: unknown): boolean {
    return isStoreUnavailable(error) || (this.#dependencies.isAway?.(error) ?? false);
  }

  #effect(events: readonly ReceivedEvent[]): Promise<void> {
    const { handler, tracer, durable: consumer } = this.#dependencies;
    const handled = () => handlingBatch(tracer, { consumer, events }, () => handler(events));
    return this.#observation.attempt(events.length, handled);
  }

  async #giveUpOrRetry(message: JsMsg, failure: unknown): Promise<void> {
    const { durable, maxDeliver, logger } = this.#dependencies;
    const eventId = message.headers?.get("ce-id") || `stream-${message.seq}`;
    const { subject, data, headers } = message;
    const { deliveryCount: attempts } = message.info;
    context.with(contextOfMessage(headers), () =>
      logger.warn({ err: failure, durable, eventId, attempts }, "an event could not be handled"),
    );
    if (attempts < maxDeliver) return nack(message, storePauseMs);
    await this.#deadLetters.publish({ eventId, subject, data, headers, attempts, cause: describeFailure(failure) });
    message.ack();
    this.#observation.setAside("dead_lettered");
  }
}

interface Received {
  message: JsMsg;
  event: ReceivedEvent;
}

function acknowledge(received: readonly Received[]): void {
  for (const { message } of received) message.ack();
}

function giveAllBack(received: readonly Received[]): void {
  for (const { message } of received) nack(message, 0);
}
