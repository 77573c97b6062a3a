/** Name of a part. */
export type PartName = "mongodb" | "nats";

/** A real part is missing or unfit. The message is one sentence for people and says what to do. */
export class PartError extends Error {
  override name = "PartError";
  readonly part: PartName;

  constructor(part: PartName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.part = part;
  }
}
