import { searchTexts } from "../shell/search-texts.ts";

/** What the address of the list of runs says. */
export interface RunsSearch {
  /** In the grammar of the API's lists. */
  filter?: string;
  order?: string;
  /** The run that a new one is to be like, as `<pipeline>/<run>`; `new` opens an empty form. */
  copy?: string;
}

/** Reads the address. */
export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  return searchTexts("filter", "order", "copy")(search);
}
