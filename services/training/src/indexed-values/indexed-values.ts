/** A value that a run is found by. */
export interface IndexedValue {
  /** Below `configuration`, `parameters`, `annotations` or `metrics`. */
  key: string;
  value: number | string | boolean;
}

/** A metric of a run with the value that was reported last. */
export interface IndexedMetric extends IndexedValue {
  value: number;
}

/** Values of JSON by which something is found at most, such as those in the configurations of all jobs of a run: the first. */
export const maxIndexedValues = 100;
/** Metrics by which a run is found at most: those that were reported first. */
export const maxIndexedMetrics = 100;

const maxTextLength = 255;
const maxDepth = 8;

/** What a run is found by of the configurations of its jobs, in the order declared. */
export function indexedConfiguration(jobs: readonly { configuration: string }[]): IndexedValue[] {
  return indexedValues(...jobs.map(({ configuration }) => configuration));
}

/**
 * The numbers, truth values and short texts in objects, given as JSON text, each once. Keys within keys are joined by dots; lists
 * are left out.
 */
export function indexedValues(...objects: readonly string[]): IndexedValue[] {
  const found = new Map<string, IndexedValue>();
  for (const object of objects) {
    for (const each of scalarsOf(JSON.parse(object), "", 0)) {
      if (found.size === maxIndexedValues) return [...found.values()];
      found.set(JSON.stringify([each.key, each.value]), each);
    }
  }
  return [...found.values()];
}

function* scalarsOf(value: unknown, key: string, depth: number): Generator<IndexedValue> {
  if (key.length > maxTextLength) return;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) yield { key, value };
  if (typeof value === "string" && value.length <= maxTextLength) yield { key, value };
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > maxDepth) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* scalarsOf(inner, depth === 0 ? name : `${key}.${name}`, depth + 1);
  }
}

/**
 * The metrics with what was reported since. One whose last value is no finite number has none until the next report; one beyond the
 * limit is not taken up.
 */
export function mergedMetrics(metrics: readonly IndexedMetric[], latest: ReadonlyMap<string, number>): IndexedMetric[] {
  const merged = new Map(metrics.map(({ key, value }) => [key, value]));
  for (const [key, value] of latest) {
    if (!Number.isFinite(value)) merged.delete(key);
    else if (merged.has(key) || merged.size < maxIndexedMetrics) merged.set(key, value);
  }
  return [...merged].map(([key, value]) => ({ key, value }));
}
