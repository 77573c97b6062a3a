import { createInstruments, type Instruments, type Measuring } from "@aiplatform/telemetry";
import { consumerMetrics } from "./event-metrics.ts";
import type { NatsSession } from "./nats-session.ts";
import type { SubjectNames } from "./subjects.ts";

/** What a consumer is measured by. */
export interface ObservedConsumer extends Measuring {
  session: NatsSession;
  names: SubjectNames;
  durable: string;
}

/** Counts a consumer's attempts, and shows how far it is behind. */
export class ConsumerObservation {
  readonly #consumer: string;
  readonly #instruments: Instruments<typeof consumerMetrics>;
  readonly #stops: (() => void)[];

  constructor({ session, names, durable: consumer, meter }: ObservedConsumer) {
    this.#consumer = consumer;
    this.#instruments = createInstruments(meter, consumerMetrics);
    const { consumer_pending, consumer_unacknowledged } = this.#instruments;
    const info = () => session.ready().manager.consumers.info(names.stream, consumer);
    this.#stops = [
      consumer_pending.observe(async (report) => report((await info()).num_pending, { consumer })),
      consumer_unacknowledged.observe(async (report) => report((await info()).num_ack_pending, { consumer })),
    ];
  }

  /** Measures an attempt at so many events. */
  async attempt<R>(events: number, work: () => Promise<R>): Promise<R> {
    const startedAt = performance.now();
    const { consumer_events_total, consumer_event_duration_seconds } = this.#instruments;
    const consumer = this.#consumer;
    let outcome: "handled" | "failed" = "failed";
    try {
      const result = await work();
      outcome = "handled";
      return result;
    } finally {
      consumer_events_total.add(events, { consumer, outcome });
      consumer_event_duration_seconds.record((performance.now() - startedAt) / 1_000, { consumer });
    }
  }

  /** An event was put among the dead letters, or refused because nothing proves who published it. */
  setAside(outcome: "dead_lettered" | "refused"): void {
    this.#instruments.consumer_events_total.add(1, { consumer: this.#consumer, outcome });
  }

  /** Stops showing metrics. */
  close(): void {
    for (const stop of this.#stops) stop();
  }
}
