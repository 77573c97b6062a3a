import { callerOf } from "@aiplatform/caller-identity";
import { type Role as RoleMessage, RoleSchema, RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { services } from "@aiplatform/contract/services";
import { idempotent } from "@aiplatform/service-host";
import { tagAnswer } from "@aiplatform/service-kit/entity-tag";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { describePermissions } from "../permissions/permission-catalogue.ts";
import { createRole } from "./create-role.ts";
import { deleteRole } from "./delete-role.ts";
import { type Role, roleVersion } from "./role.ts";
import { operatorPermission } from "./system-roles.ts";
import { updateRole } from "./update-role.ts";

export function roleRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  // The operator's is left out: no role and no key of an organisation can hold it.
  const permissions = describePermissions(services).filter(({ id }) => id !== operatorPermission);
  const { roles } = dependencies;
  router.service(RoleService, {
    listPermissions: () => ({ permissions }),
    createRole: (request, context) =>
      idempotent(dependencies.idempotency, RoleService.method.createRole, { request, context }, async (session) => {
        const { name = "", slug = "", permissionIds } = request;
        const wanted = { name, slug, permissionIds };
        return { role: roleMessage(await createRole(dependencies, callerOf(context), wanted, session)) };
      }),
    async listRoles(page, context) {
      const { items, nextCursor } = await roles.list(callerOf(context).organisationId, page);
      return { roles: items.map(roleMessage), nextCursor };
    },
    async getRole({ roleId }, context) {
      const role = await roles.get(callerOf(context).organisationId, roleId);
      tagAnswer(context, roleVersion(role));
      return { role: roleMessage(role) };
    },
    async updateRole({ roleId, name = "", permissionIds, ifMatch }, context) {
      const role = await updateRole(dependencies, callerOf(context), { roleId, name, permissionIds, ifMatch });
      tagAnswer(context, roleVersion(role));
      return { role: roleMessage(role) };
    },
    async deleteRole({ roleId }, context) {
      const { organisationId } = callerOf(context);
      return { role: roleMessage(await deleteRole(dependencies, organisationId, roleId)) };
    },
  });
}

function roleMessage({ createdAt: _, ...role }: Role): RoleMessage {
  return create(RoleSchema, role);
}
