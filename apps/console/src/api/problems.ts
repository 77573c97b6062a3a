import { PlatformError, type Problem } from "@aiplatform/client";

/** Whether a write was refused because something has changed since it was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 412;
}

/** Whether there is no such thing, or none that the caller may know of. */
export function isMissing(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 404;
}

/** What a refusal says of a field of the body, such as `name` or `columns`; undefined where it says nothing of it. */
export function problemOf(error: unknown, field: string): string | undefined {
  const problems = problemsOf(error).filter(({ loc }) => loc[0] === "body" && loc[1] === field);
  if (problems.length === 0) return undefined;
  return problems.map(({ loc, msg }) => [loc.slice(2).join("."), msg].filter(Boolean).join(": ")).join("; ");
}

/** Every problem of a request that was refused because of its fields; none of any other failure. */
export function problemsOf(error: unknown): readonly Problem[] {
  return error instanceof PlatformError ? error.problems : [];
}
