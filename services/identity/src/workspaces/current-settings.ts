import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { initialSettings, type WorkspaceSettings } from "./workspace-settings.ts";

/**
 * The organisation's settings. Until the first change they are the initial ones, made when the organisation was;
 * reading keeps nothing.
 * @throws OrganisationNotFoundError
 */
export async function currentSettings(
  { organisations, workspaceSettings }: Pick<IdentityDependencies, "organisations" | "workspaceSettings">,
  organisationId: string,
  session?: ClientSession,
): Promise<WorkspaceSettings> {
  const kept = await workspaceSettings.find(organisationId, session);
  if (kept) return kept;
  const organisation = await organisations.get(organisationId);
  return initialSettings(organisationId, organisation.createdAt);
}
