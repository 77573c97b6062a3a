import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { ReadyVersion } from "../dataset-versions/dataset-version.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { onData } from "./read-rows.ts";

/** SQL does not tell names apart by their case. @throws InvalidFieldsError */
export function assertNames(views: readonly { readonly name: string }[], field = "views"): void {
  const names = views.map(({ name }) => name.toLowerCase());
  const description = "is named before, whatever the case: give each view a name of its own";
  assertNone(
    names.flatMap((name, index): FieldViolation[] =>
      names.indexOf(name) === index ? [] : [{ field: `${field}[${index}].name`, reason: "NAME_REPEATED", description }],
    ),
  );
}

/** The files of views, as the engine takes them; `paths` are in the order of the views. */
export function filesOf(
  views: readonly { readonly name: string }[],
  paths: readonly string[],
): Record<string, readonly string[]> {
  return Object.fromEntries(views.map(({ name }, index) => [name, paths.slice(index, index + 1)]));
}

/** Runs `work` on the files of all versions, which stay until it has ended. */
export function onAll<T>(
  dependencies: { cache: Pick<ParquetCache, "use"> },
  [next, ...others]: readonly ReadyVersion[],
  signal: AbortSignal,
  work: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  if (!next) return work([]);
  return onData(dependencies, next, signal, (path) =>
    onAll(dependencies, others, signal, (paths) => work([path, ...paths])),
  );
}
