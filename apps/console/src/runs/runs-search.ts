/** What the address of the list of runs says. */
export interface RunsSearch {
  /** In the grammar of the API's lists. */
  filter?: string;
  order?: string;
  /** The run that a new one is to be like, as `<pipeline>/<run>`; `new` opens an empty form. */
  copy?: string;
}

/** Reads the address; what is no text there is left out. */
export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  const read = (name: keyof RunsSearch): Partial<RunsSearch> => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? { [name]: value } : {};
  };
  return { ...read("filter"), ...read("order"), ...read("copy") };
}
