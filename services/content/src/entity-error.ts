/** A failure about one entity, whose id is for logs. */
export abstract class EntityError extends Error {
  readonly id: string;
  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

/** The organisation has as many of something as it may have. */
export abstract class LimitError extends Error {
  constructor(max: number, what: string) {
    super(`The organisation has reached its limit of ${max} ${what}`);
  }
}
