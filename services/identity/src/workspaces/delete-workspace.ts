import type { IdentityDependencies } from "../dependencies.ts";
import type { Workspace } from "./workspace.ts";
import { workspaceDeleted } from "./workspace-events.ts";

/** Deletes a workspace. Its assets stay, and count as new to no run. @throws WorkspaceNotFoundError */
export function deleteWorkspace(
  dependencies: Pick<
    IdentityDependencies,
    "assets" | "workspaces" | "memberships" | "outbox" | "transaction" | "clock"
  >,
  organisationId: string,
  workspaceId: string,
): Promise<Workspace> {
  const { assets, workspaces, memberships, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const workspace = await workspaces.get(organisationId, workspaceId, session);
    await workspaces.delete(organisationId, workspaceId, session);
    await assets.leave(organisationId, workspaceId, session);
    await memberships.deleteOfWorkspace(organisationId, workspaceId, session);
    await outbox.stage(session, workspaceDeleted(workspace, clock()));
    return workspace;
  });
}
