import { callerOf } from "@aiplatform/caller-identity";
import { RoleSchema, RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { replayable } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { createRole } from "./create-role.ts";

/** Serves RoleService. */
export function roleRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  router.service(RoleService, {
    createRole: (request, context) =>
      replayable(dependencies.replays, RoleService.method.createRole, { request, context }, async (session) => {
        const { name = "", slug = "", permissionIds } = request;
        return { role: await createRole(dependencies, callerOf(context), { name, slug, permissionIds }, session) };
      }),
    async listRoles(_, context) {
      const roles = await dependencies.roles.list(callerOf(context).organisationId);
      return { roles: roles.map((role) => create(RoleSchema, role)) };
    },
  });
}
