import type { IdentityDependencies } from "../dependencies.ts";
import { type Workspace, WorkspaceNotFoundError } from "./workspace.ts";
import { workspaceDeleted } from "./workspace-events.ts";

/** Deletes a workspace; its assets are in it no more, and are new to no run. Throws WorkspaceNotFoundError. */
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
    const workspace = await workspaces.find(organisationId, workspaceId, session);
    if (!workspace) throw new WorkspaceNotFoundError(workspaceId);
    await workspaces.delete(organisationId, workspaceId, session);
    await assets.leave(organisationId, workspaceId, session);
    await memberships.deleteOfWorkspace(organisationId, workspaceId, session);
    await outbox.stage(session, workspaceDeleted(workspace, clock()));
    return workspace;
  });
}
