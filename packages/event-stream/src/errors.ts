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

/** The stream holds as much as it may, because a consumer has not read it. The events stay where they are; try again later. */
export class EventStreamFullError extends EventStreamUnavailableError {
  override name = "EventStreamFullError";
  constructor() {
    super("the event stream is full: a consumer does not read, or NATS_STREAM_MAX_BYTES is too small");
  }
}
