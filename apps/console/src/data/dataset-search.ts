import { searchTexts } from "../shell/search-texts.ts";

/** The parts of a dataset's page. */
export const datasetTabs = [
  { name: "dictionary", label: "Data dictionary" },
  { name: "versions", label: "Versions" },
  { name: "history", label: "History" },
] as const;

export type DatasetTab = (typeof datasetTabs)[number]["name"];

/** What the address of a dataset's page says. */
export interface DatasetSearch {
  tab?: string;
  /** Part of the names of the entries that are shown. */
  find?: string;
  /** The entry whose history is shown. */
  entry?: string;
  /** The version that is shown. */
  version?: string;
  /** Which of its rows, and in which order. */
  filter?: string;
  order?: string;
}

/** Reads the address. */
export function readDatasetSearch(search: Record<string, unknown>): DatasetSearch {
  return searchTexts("tab", "find", "entry", "version", "filter", "order")(search);
}
