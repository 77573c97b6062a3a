import type { FieldViolation } from "@aiplatform/service-host";

/** A list in which each name may stand once: of a request, or of a file. `placeOf`: where the name at an index stands. */
export function repeatedNames(names: readonly string[], placeOf: (index: number) => string): FieldViolation[] {
  const firsts = new Map<string, number>();
  return names.flatMap((name, index) => {
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, index);
    if (first === undefined) return [];
    const description = `the name stands at ${first} already`;
    return [{ field: placeOf(index), reason: "NAME_REPEATED", description }];
  });
}
