import type { FieldViolation } from "./interceptors/error-mapping.ts";

/** More would not fit into the metadata that errors travel in, and are not read by anybody. */
const mostViolations = 100;

/** The request is wrong whatever the state of things; each problem is listed, up to a hundred, with a reason of its own. */
export class InvalidFieldsError extends Error {
  override name = "InvalidFieldsError";
  readonly violations: readonly FieldViolation[];
  constructor(violations: readonly FieldViolation[]) {
    const [first] = violations;
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
    super(first ? `${first.field}: ${first.description}${more}` : "");
    this.violations = violations.slice(0, mostViolations);
  }
}

/** Throws InvalidFieldsError when there is something to say. */
export function assertNone(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) throw new InvalidFieldsError(violations);
}
