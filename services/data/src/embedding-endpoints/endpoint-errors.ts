/** No endpoint of the name may be used, or not with this model: the settings are others than when it was named. */
export class EndpointGoneError extends Error {
  override name = "EndpointGoneError";
}

/** The endpoint does not take what it is sent. Trying again fails again. */
export class EndpointRefusedError extends Error {
  override name = "EndpointRefusedError";
}

/** The endpoint answers what vectors cannot be taken from. */
export class EndpointAnswerError extends Error {
  override name = "EndpointAnswerError";
  /** `what` goes on behind the endpoint's name. */
  constructor(endpoint: string, what: string) {
    super(`The endpoint ${JSON.stringify(endpoint)} ${what}`);
  }
}

/** The endpoint does not answer, or asks to wait. */
export class EndpointUnavailableError extends Error {
  override name = "EndpointUnavailableError";
}
