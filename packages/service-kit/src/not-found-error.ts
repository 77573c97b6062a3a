/** It does not exist, or belongs to another organisation: callers must not see which. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
  /** For logs. */
  readonly id: string | undefined;
  constructor(id?: string, message = "Not found") {
    super(message);
    this.id = id;
  }
}
