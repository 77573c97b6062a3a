import type { IdentityDependencies } from "../dependencies.ts";
import { type Workspace, WorkspaceNotFoundError } from "./workspace.ts";

/** One workspace. Throws WorkspaceNotFoundError. */
export async function getWorkspace(
  { workspaces }: Pick<IdentityDependencies, "workspaces">,
  organisationId: string,
  id: string,
): Promise<Workspace> {
  const workspace = await workspaces.find(organisationId, id);
  if (!workspace) throw new WorkspaceNotFoundError(id);
  return workspace;
}
