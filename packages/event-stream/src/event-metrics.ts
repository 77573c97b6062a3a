import { defineMetrics, metric } from "@aiplatform/telemetry";
import { refusedBecause } from "./errors.ts";

/** What the relay of an outbox tells. */
export const relayMetrics = defineMetrics({
  outbox_pending: metric.gauge({
    help: "Events that are stored and not yet published, counted up to 10,000; every replica sees the same ones.",
    labels: { outbox: "where they rest" },
  }),
  outbox_oldest_seconds: metric.gauge({
    help: "How long the oldest of them waits; 0 where none does.",
    labels: { outbox: "where they rest" },
  }),
  event_stream_gaps_total: metric.counter({
    help: "Times that the stream had lost events which had been published from here: a damaged or older disk, a stream deleted.",
    labels: { outbox: "where they rest" },
  }),
  events_refilled_total: metric.counter({
    help: "Stored events, or entries that stand for some, that are published again because the stream may have lost them.",
    labels: { outbox: "where they rest" },
  }),
});

/** What every process at the event stream tells. */
export const streamMetrics = defineMetrics({
  nats_connected: metric.gauge({ help: "1 while NATS and its streams can be reached." }),
  dead_letters: metric.gauge({
    help: "Events in the dead-letter stream, of all consumers of the platform; every process sees the same ones.",
    appears: "while NATS can be reached",
  }),
  event_stream_bytes: metric.gauge({
    help: "What the event stream holds, and what it may: when it is full, events wait in their outboxes.",
    labels: { kind: ["used", "limit"] },
    appears: "while NATS can be reached",
  }),
  event_stream_stalled_seconds: metric.gauge({
    help: "For how long NATS has been connected and has acknowledged nothing that was published; 0 while it does.",
  }),
  events_refused_total: metric.counter({
    help: "Messages that were not applied, because nothing proves that a service which may publish such an event did: it has no signature; no known key has signed it; the service may not publish it; its subject is another's; it was signed more than a day from when it was published; it is no event.",
    labels: { reason: [...refusedBecause, "invalid"] },
    appears: "with the first one",
  }),
  audit_refusals_total: metric.counter({
    help: "Refused calls by what became of their record; `dropped` ones are missing from the audit log, because NATS was away for too long.",
    labels: { outcome: ["reported", "dropped"] },
  }),
});

/** Metrics of every consumer of events. */
export const consumerMetrics = defineMetrics({
  consumer_pending: metric.gauge({
    help: "Events in the stream that a consumer has not been given yet; its replicas share them.",
    labels: { consumer: "durable name" },
    appears: "while NATS can be reached",
  }),
  consumer_unacknowledged: metric.gauge({
    help: "Events that a consumer was given and is not done with, those that wait for another attempt included.",
    labels: { consumer: "durable name" },
    appears: "while NATS can be reached",
  }),
  consumer_events_total: metric.counter({
    help: "Attempts at events by how they ended: their effect is stored; it failed and will be tried again; it was put among the dead letters; nothing proves who published it.",
    labels: { consumer: "durable name", outcome: ["handled", "failed", "dead_lettered", "refused"] },
    appears: "with the first event",
  }),
  consumer_event_duration_seconds: metric.histogram({
    help: "Time of an attempt; of a batch, where a consumer takes events by the batch.",
    labels: { consumer: "durable name" },
    appears: "with the first event",
  }),
});

/** What a service that stages and handles events has; it spreads these into its own table. */
export const eventMetrics = defineMetrics({ ...relayMetrics, ...streamMetrics, ...consumerMetrics });
