import { NatsError } from "nats";

/** NATS or its JetStream cannot be reached, or did not acknowledge in time. The events stay where they are; try again. */
export class EventStreamUnavailableError extends Error {
  override name = "EventStreamUnavailableError";
}

/** A message in the stream is not an event of ours, or its data does not decode. Handling it again cannot help. */
export class InvalidEventError extends Error {
  override name = "InvalidEventError";
}

/** A message type that is used as an event does not say so in the contract, or an id is missing. A mistake in the program. */
export class EventDeclarationError extends Error {
  override name = "EventDeclarationError";
}

/** What a log says of a failure: its stack, unless it is one of those that a start beside other services brings. */
export function reasonOf(error: unknown): { reason: string } | { err: unknown } {
  const isExpected = error instanceof EventStreamUnavailableError || isMissingStream(error);
  return isExpected ? { reason: error.message } : { err: error };
}

/** JetStream's own number for a stream that is not there: identity makes it when it starts. */
const streamNotFound = 10_059;

const isMissingStream = (error: unknown): error is NatsError =>
  error instanceof NatsError && error.api_error?.err_code === streamNotFound;

/** The stream holds as much as it may, because a consumer has not read it. The events stay where they are; try again later. */
export class EventStreamFullError extends EventStreamUnavailableError {
  override name = "EventStreamFullError";
  constructor() {
    super("the event stream is full: a consumer does not read, or NATS_STREAM_MAX_BYTES is too small");
  }
}

/** Why a message is not believed to be an event. */
export const refusedBecause = ["unsigned", "signature", "publisher", "subject", "time"] as const;
export type RefusedBecause = (typeof refusedBecause)[number];

/** Nothing proves that a service which may publish an event did. Its message holds nothing of the event. */
export class UnverifiedEventError extends Error {
  override name = "UnverifiedEventError";
  readonly reason: RefusedBecause;
  constructor(reason: RefusedBecause) {
    super(texts[reason]);
    this.reason = reason;
  }
}

const texts: Readonly<Record<(typeof refusedBecause)[number], string>> = {
  unsigned: "the event has no signature",
  signature: "the event's signature is by no known key, or does not fit it",
  publisher: "the service that signed the event may not publish events of its type",
  subject: "the event was published under the subject of another",
  time: "the event was signed at another time than it was published",
};
