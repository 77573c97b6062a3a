import { callerOf } from "@aiplatform/caller-identity";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { idempotent } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { currentSettings } from "./current-settings.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { enableFromProposal } from "./enable-from-proposal.ts";
import { listWorkspaceAssets } from "./list-workspace-assets.ts";
import { startGrouping } from "./start-grouping.ts";
import { updateWorkspaceSettings } from "./update-workspace-settings.ts";
import { membershipMessage, proposalFrom, settingsMessage, workspaceMessage } from "./workspace-messages.ts";

export function workspaceRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  const { idempotency, workspaces } = dependencies;
  router.service(WorkspaceService, {
    enableFromProposal(request, context) {
      const { enableFromProposal: method } = WorkspaceService.method;
      return idempotent(idempotency, method, { request, context }, async (session) => ({
        settings: settingsMessage(
          await enableFromProposal(dependencies, callerOf(context), proposalFrom(request), session),
        ),
      }));
    },
    async getWorkspaceSettings(_, context) {
      return { settings: settingsMessage(await currentSettings(dependencies, callerOf(context).organisationId)) };
    },
    async updateWorkspaceSettings({ workspacesEnabled, autoGroupingEnabled }, context) {
      const wanted = { workspacesEnabled, autoGroupingEnabled };
      const { organisationId } = callerOf(context);
      return { settings: settingsMessage(await updateWorkspaceSettings(dependencies, organisationId, wanted)) };
    },
    async startGrouping(_, context) {
      return { settings: settingsMessage(await startGrouping(dependencies, callerOf(context).organisationId)) };
    },
    async listWorkspaces({ limit = 100, ...request }, context) {
      const { items, nextCursor } = await workspaces.list(callerOf(context).organisationId, { ...request, limit });
      return { workspaces: items.map(workspaceMessage), nextCursor };
    },
    async getWorkspace({ workspaceId }, context) {
      const { organisationId } = callerOf(context);
      return {
        workspace: workspaceMessage(await workspaces.get(organisationId, workspaceId)),
      };
    },
    async deleteWorkspace({ workspaceId }, context) {
      const { organisationId } = callerOf(context);
      const deleted = await deleteWorkspace(dependencies, organisationId, workspaceId);
      return { workspace: workspaceMessage(deleted) };
    },
    async listWorkspaceAssets({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await listWorkspaceAssets(dependencies, organisationId, { ...request, limit });
      return { assets: items.map(membershipMessage), nextCursor };
    },
  });
}
