import type { Page } from "@aiplatform/document-store";
import type { ContentDependencies } from "../dependencies.ts";
import type { Version } from "./automation.ts";
import type { VersionQuery } from "./automation-version-store.ts";
import { getAutomation } from "./get-automation.ts";

/** An automation's versions, newest first. Throws AutomationNotFoundError, InvalidCursorError. */
export async function listAutomationVersions(
  dependencies: Pick<ContentDependencies, "automations" | "automationVersions">,
  organisationId: string,
  query: VersionQuery,
): Promise<Page<Version>> {
  await getAutomation(dependencies, organisationId, query.automationId);
  return dependencies.automationVersions.list(organisationId, query);
}
