export type { EventCause, OutboxRecord } from "@aiplatform/document-store";
export type { BatchConsumerOptions } from "./batch-consumer.ts";
export type { ReceivedEvent } from "./cloud-event.ts";
export type { Consumer, ConsumerOptions } from "./consumer.ts";
export {
  EventDeclarationError,
  EventStreamFullError,
  EventStreamUnavailableError,
  InvalidEventError,
} from "./errors.ts";
export { consumerMetrics, eventMetrics, relayMetrics, streamMetrics } from "./event-metrics.ts";
export { decodeEvent, type EventFacts, eventRecord, eventSubject, eventType } from "./event-record.ts";
export { type Announcement, connectEventStream, type EventStream, type EventStreamOptions } from "./event-stream.ts";
export {
  type ConsumerState,
  type InspectOptions,
  inspectEventStream,
  type StreamInspection,
} from "./inspect-stream.ts";
export { type OutboxSource, outboxSource } from "./outbox-source.ts";
export type { Redriven } from "./redrive.ts";
export {
  createRefusalReporter,
  installationToken,
  type RefusalReporter,
  type RefusalReporterOptions,
} from "./refusal-reporter.ts";
export { type Relay, type RelayOptions, startRelay } from "./relay.ts";
export type { StreamLimits } from "./stream-limits.ts";
export { platformReaders, type StreamSettings, streamOf } from "./stream-of.ts";
export { subjectToken, wakeSubject } from "./subjects.ts";
