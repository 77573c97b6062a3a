/** It does not exist, or not in the caller's organisation: callers must not see which. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
  readonly id: string | undefined;
  constructor(id?: string) {
    super("Not found");
    this.id = id;
  }
}
