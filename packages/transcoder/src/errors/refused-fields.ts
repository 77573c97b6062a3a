import type { Violations } from "@aiplatform/contract/buf/validate/validate";
import type { BadRequest } from "@aiplatform/contract/google/rpc/error_details";

/** A field that a service refused. */
export interface RefusedField {
  /** Names and indexes from the request message down. */
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly msg: string;
}

/** Fields named by a service's error, in its order. Where it tells which rules are broken, a BadRequest only repeats them. */
export function refusedFields(requests: readonly BadRequest[], violations: readonly Violations[]): RefusedField[] {
  const broken = violations.flatMap((detail) =>
    detail.violations.map(({ field, ruleId, message }) => ({
      path: field?.elements.flatMap(pathOf) ?? [],
      type: ruleId === "required" ? "missing" : "value_error",
      msg: ruleId === "required" ? "Field required" : message,
    })),
  );
  if (broken.length > 0) return broken;
  return requests.flatMap(({ fieldViolations }) =>
    fieldViolations.map(({ field, reason, description }) => ({
      path: parsePath(field),
      type: reason === "" ? "value_error" : reason.toLowerCase(),
      msg: description,
    })),
  );
}

type PathElement = NonNullable<Violations["violations"][number]["field"]>["elements"][number];

function pathOf({ fieldName, subscript }: PathElement): (string | number)[] {
  if (subscript.case === undefined) return [fieldName];
  return [fieldName, subscript.case === "index" ? Number(subscript.value) : String(subscript.value)];
}

/** Reads `a.b[3].c` and `a["key"]`. */
function parsePath(text: string): (string | number)[] {
  const parts = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...parts].map(([, key, index, name]) => (index === undefined ? (key ?? name ?? "") : Number(index)));
}
