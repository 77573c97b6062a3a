import { errorDomain } from "@aiplatform/caller-identity";
import { type Violation, ViolationsSchema } from "@aiplatform/contract/buf/validate/validate";
import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { ConnectError } from "@connectrpc/connect";
import { type FieldViolation, maxViolations } from "../invalid-fields-error.ts";

/**
 * Adds what clients without our descriptors can read to an error of validation: an ErrorInfo, and the rules that a request breaks as a
 * BadRequest beside `buf.validate.Violations`. All name the first hundred: trailers have an end.
 */
export function withStandardDetails(error: ConnectError): ConnectError {
  const all = error.findDetails(ViolationsSchema).flatMap((detail) => detail.violations);
  if (all.length === 0) return error;
  const violations = all.slice(0, maxViolations);
  error.details = [
    { desc: ViolationsSchema, value: { violations } },
    { desc: ErrorInfoSchema, value: { reason: "FIELDS_INVALID", domain: errorDomain } },
    { desc: BadRequestSchema, value: { fieldViolations: violations.map(fieldViolationOf) } },
  ];
  return error;
}

function fieldViolationOf({ field, ruleId, message }: Violation): FieldViolation {
  const description = ruleId === "required" ? "is required" : message;
  return { field: pathOf(field?.elements ?? []), description, reason: upperSnake(ruleId) };
}

/** `role_ids[2].name`, `labels["key"]`. */
function pathOf(elements: NonNullable<Violation["field"]>["elements"]): string {
  return elements
    .map(({ fieldName, subscript }) => {
      if (subscript.case === undefined) return fieldName;
      const key = subscript.case === "stringKey" ? JSON.stringify(subscript.value) : String(subscript.value);
      return `${fieldName}[${key}]`;
    })
    .join(".");
}

/** `string.min_len` → STRING_MIN_LEN. */
function upperSnake(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, "_").toUpperCase();
}
