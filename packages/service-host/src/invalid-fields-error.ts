/** What is wrong with one field of a request. */
export interface FieldViolation {
  /** Path as in the message, such as `role_ids[2]`. */
  readonly field: string;
  readonly description: string;
  /** Stable, UPPER_SNAKE_CASE. Default: that of the error. */
  readonly reason?: string;
}

/** More would not fit into the metadata that errors travel in, and callers would not read them. */
export const maxViolations = 100;

/**
 * The request is wrong whatever the state of things; each problem is listed, up to a hundred, best with a reason of its own.
 * Every service may throw it: callers see INVALID_ARGUMENT, FIELDS_INVALID.
 */
export class InvalidFieldsError extends Error {
  override name = "InvalidFieldsError";
  readonly violations: readonly FieldViolation[];
  constructor(violations: readonly FieldViolation[]) {
    const [first] = violations;
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
    super(first ? `${first.field}: ${first.description}${more}` : "");
    this.violations = violations.slice(0, maxViolations);
  }
}

/** @throws InvalidFieldsError when there is a violation */
export function assertNone(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) throw new InvalidFieldsError(violations);
}
