import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { currentSettings } from "./current-settings.ts";
import { workspaceGroupingRequested } from "./workspace-events.ts";
import {
  type GroupingRunType,
  type WorkspaceSettings,
  WorkspacesDisabledError,
  withQueued,
} from "./workspace-settings.ts";

export type QueueDependencies = Pick<
  IdentityDependencies,
  "organisations" | "workspaceSettings" | "outbox" | "clock" | "newId"
>;

/** Queues a run for a caller, unless one is queued or under way. @throws WorkspacesDisabledError */
export function startGrouping(
  dependencies: QueueDependencies & Pick<IdentityDependencies, "transaction">,
  organisationId: string,
): Promise<WorkspaceSettings> {
  return dependencies.transaction(async (session) => {
    await dependencies.organisations.lock(organisationId, session);
    const settings = await currentSettings(dependencies, organisationId, session);
    if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
    return settings.run ? settings : queueRun(dependencies, { settings, type: "manual" }, session);
  });
}

/** Queues a run, and announces that with it. */
export async function queueRun(
  { workspaceSettings, outbox, clock, newId }: QueueDependencies,
  { settings, type }: { settings: WorkspaceSettings; type: GroupingRunType },
  session: ClientSession,
): Promise<WorkspaceSettings> {
  const { organisationId } = settings;
  const [runId, time] = [newId(), clock()];
  const queued = withQueued(settings, { id: runId, type }, time);
  await workspaceSettings.save(organisationId, queued, session);
  await outbox.stage(session, workspaceGroupingRequested({ organisationId, runId }, time));
  return queued;
}
