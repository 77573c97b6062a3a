import type { Page } from "@aiplatform/document-store";
import { getAutomation } from "../automations/get-automation.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { AutomationRun } from "./automation-run.ts";
import type { RunQuery } from "./automation-run-store.ts";

/** An automation's runs, newest first. Throws AutomationNotFoundError, InvalidCursorError. */
export async function listAutomationRuns(
  dependencies: Pick<ContentDependencies, "automations" | "automationRuns">,
  organisationId: string,
  query: RunQuery,
): Promise<Page<AutomationRun>> {
  await getAutomation(dependencies, organisationId, query.automationId);
  return dependencies.automationRuns.list(organisationId, query);
}
