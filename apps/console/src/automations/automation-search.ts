import { searchTexts } from "../shell/search-texts.ts";

/** The parts of an automation's page. */
export const automationTabs = [
  { name: "steps", label: "Steps" },
  { name: "runs", label: "Runs" },
  { name: "draft", label: "Draft" },
  { name: "versions", label: "Versions" },
  { name: "settings", label: "Settings" },
] as const;

export type AutomationTab = (typeof automationTabs)[number]["name"];

/** What the address of an automation's page says. */
export interface AutomationSearch {
  tab?: string;
  /** Id of the step that is shown. */
  step?: string;
  /** Which runs, in the grammar of the API's lists. */
  filter?: string;
  order?: string;
  /** Ids of the versions that are compared. */
  from?: string;
  to?: string;
}

/** Reads the address of an automation's page. */
export function readAutomationSearch(search: Record<string, unknown>): AutomationSearch {
  return searchTexts("tab", "step", "filter", "order", "from", "to")(search);
}

/** The tab that an address names; the first one by default. */
export function automationTab({ tab }: AutomationSearch): AutomationTab {
  return automationTabs.find(({ name }) => name === tab)?.name ?? "steps";
}

/** Reads the address of a run of an automation. */
export function readStepSearch(search: Record<string, unknown>): { step?: string } {
  return searchTexts("step")(search);
}
