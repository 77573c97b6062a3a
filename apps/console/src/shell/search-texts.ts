/** The texts of an address that have one of these names; empty ones and what is no text are left out. */
export function searchTexts<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const texts: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") texts[name] = value;
    }
    return texts;
  };
}

/** The address of a list. */
export const readListSearch = searchTexts("filter", "order");
