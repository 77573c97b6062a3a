import type { IdentityDependencies } from "../dependencies.ts";
import { currentSettings } from "./current-settings.ts";
import { workspaceSettingsUpdated } from "./workspace-events.ts";
import { type WorkspaceSettings, withChanges } from "./workspace-settings.ts";

/** What settings that stay absent leave as it is. */
export interface WantedSettings {
  workspacesEnabled?: boolean | undefined;
  autoGroupingEnabled?: boolean | undefined;
}

/** Changes the settings that are given; what is so already changes and announces nothing. */
export function updateWorkspaceSettings(
  dependencies: Pick<IdentityDependencies, "organisations" | "workspaceSettings" | "outbox" | "transaction" | "clock">,
  organisationId: string,
  wanted: WantedSettings,
): Promise<WorkspaceSettings> {
  const { organisations, workspaceSettings, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    await organisations.lock(organisationId, session);
    const before = await currentSettings(dependencies, organisationId, session);
    const after = withChanges(before, wanted, clock());
    if (after === before) return before;
    await workspaceSettings.save(organisationId, after, session);
    await outbox.stage(session, workspaceSettingsUpdated(after, after.updatedAt));
    return after;
  });
}
