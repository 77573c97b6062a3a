import type { components } from "@aiplatform/client";

type DatasetVersion = components["schemas"]["DatasetVersion"];

const onTheWay: ReadonlySet<DatasetVersion["state"]> = new Set(["pending", "reading", "purging"]);
const minMs = 1_000;
const maxMs = 10_000;

/**
 * How long to wait before versions are read again, ms: a tenth of the time for which the last of them has been on its way, in whole
 * seconds and within bounds. Another number at each rendering would begin the pause again each time. False: all of them stay as they are.
 */
export function lookAgainMs(
  versions: readonly Pick<DatasetVersion, "state" | "updated_at">[],
  now: number,
): number | false {
  const since = versions.filter(({ state }) => onTheWay.has(state)).map(({ updated_at }) => Date.parse(updated_at));
  if (since.length === 0) return false;
  // The clock of the browser may be another one.
  return Math.min(Math.max(Math.ceil((now - Math.max(...since)) / 10_000) * 1_000, minMs), maxMs);
}
