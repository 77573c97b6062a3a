/** Stands between the declared name of an index and what tells its definition from the one that has the name already. */
export const versionMark = "~";

/** The name of an index as its plan declares it, from its name at the server. */
export function declaredName(name: string): string {
  return name.split(versionMark, 1)[0] ?? name;
}

/** The names that indexes have at the server, once they are created. */
export class IndexNames {
  readonly #differing = new Map<string, ReadonlyMap<string, string>>();

  /** Keeps the names of a collection's indexes that are not the declared ones, by those. */
  set(collection: string, differing: ReadonlyMap<string, string>): void {
    this.#differing.set(collection, differing);
  }

  /** The name at the server of an index with that declared name. */
  of(collection: string, declared: string): string {
    return this.#differing.get(collection)?.get(declared) ?? declared;
  }
}
