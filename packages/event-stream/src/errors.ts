/** NATS or its JetStream cannot be reached, or did not acknowledge in time. The events stay where they are; try again. */
export class EventStreamUnavailableError extends Error {
  override name = "EventStreamUnavailableError";
  readonly retryable = true;
}

/** A message in the stream is not an event of ours, or its data does not decode. Handling it again cannot help. */
export class InvalidEventError extends Error {
  override name = "InvalidEventError";
}

/** A message type that is used as an event does not say so in the contract, or an id is missing. A mistake in the program. */
export class EventDeclarationError extends Error {
  override name = "EventDeclarationError";
}
