/** Stands between the declared name of an index and what tells its definition from the one that has the name already. */
export const versionMark = "~";

/** The name of an index as its plan declares it, from its name at the server. */
export function declaredName(name: string): string {
  return name.split(versionMark, 1)[0] ?? name;
}
