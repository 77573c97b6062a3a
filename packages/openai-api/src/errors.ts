/** The service does not answer, or asks to wait. Its message goes on behind the service's name. */
export class ApiUnavailableError extends Error {
  override name = "ApiUnavailableError";
  /** Of its last answer. Undefined: there was none. */
  readonly status: number | undefined;
  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** The service does not take what it is sent, or may not be reached: asking again fails again. Its message goes on behind the service's name. */
export class ApiRefusedError extends Error {
  override name = "ApiRefusedError";
  /** Of its answer. Undefined: it was not asked. */
  readonly status: number | undefined;
  /** What it says of it, without the key; empty where it says nothing. */
  readonly said: string;
  constructor(message: string, { status, said = "", cause }: { status?: number; said?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
    this.said = said;
  }
}

/** The answer is longer than allowed. Its message goes on behind the service's name. */
export class ApiAnswerTooLargeError extends Error {
  override name = "ApiAnswerTooLargeError";
}
