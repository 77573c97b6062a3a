/** The request would have reached an address that must not be reached. Nothing was sent. */
export class AddressRefusedError extends Error {
  override name = "AddressRefusedError";
  /** What was refused: an address, a host name, or an URL without its credentials. */
  readonly refused: string;
  constructor(refused: string, why: string) {
    super(`${refused} ${why}`);
    this.refused = refused;
  }
}

/** The answer was longer than it may be. The connection is closed. */
export class ResponseTooLargeError extends Error {
  override name = "ResponseTooLargeError";
  /** How many bytes there may be, after decompression. */
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`The answer is longer than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The answer, body included, was not there in time. Whether the other side has acted is not known. */
export class OutboundTimeoutError extends Error {
  override name = "OutboundTimeoutError";
  /** How long the request may take, in milliseconds. */
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`No complete answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}
