import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { replaceUnchanged } from "../../api/changed-since.ts";
import { pageOf } from "../../api/page.ts";
import { platform, type Role } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import { permissionIds } from "./permission-areas.ts";

const pageSize = 12;
const freshMs = 60_000;
const maxHolders = 20;

/** The roles of the system and of the organisation, some at a time: each is a column. */
export function useRoles() {
  return useList({
    key: ["roles", "pages"],
    isEnabled: useForbidden("roles:manage") === undefined,
    read: async (cursor, signal) =>
      pageOf(await platform.GET("/platform/roles", { params: { query: listQuery(pageSize, cursor) }, signal })),
  });
}

/** Up to a thousand roles. An organisation may have as many of its own, beside those of the system. */
export function useAllRoles() {
  return useQuery({
    queryKey: ["roles", "all"],
    enabled: useForbidden("roles:manage") === undefined,
    staleTime: freshMs,
    queryFn: async ({ signal }) => pageOf(await platform.GET("/platform/roles", { params: {}, signal })).items,
  });
}

/** One role. */
export function useRole(role_id: string) {
  return useQuery({
    queryKey: ["role", role_id],
    enabled: useForbidden("roles:manage") === undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { role_id } };
      return answerOf(await platform.GET("/platform/roles/{role_id}", { params, signal }));
    },
  });
}

/** Every permission that there is. */
export function usePermissions() {
  return useQuery({
    queryKey: ["permissions"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => answerOf(await platform.GET("/platform/permissions", { signal })),
  });
}

/** Some of the members who hold a role. */
export function useHolders(role_id: string) {
  return useQuery({
    queryKey: ["holders", role_id],
    enabled: useForbidden("members:manage") === undefined,
    queryFn: async ({ signal }) => {
      const query = { limit: maxHolders, filter: `role_ids:${role_id}` };
      return pageOf(await platform.GET("/platform/members", { params: { query }, signal }));
    },
  });
}

/** What a role is made of. */
export interface RoleForm {
  name: string;
  slug: string;
  permission_ids: string[];
}

/** Creates a role, or replaces the name and permissions of one that is still as it was read. */
export function useSaveRole(base: Role | undefined) {
  const queryClient = useQueryClient();
  const forget = useForgetRoles();
  return useMutation({
    mutationFn: async ({ name, slug, ...form }: RoleForm): Promise<Role> => {
      const permission_ids = permissionIds(form.permission_ids);
      if (!base)
        return answerOf(await platform.POST("/organisations/roles/", { body: { name, slug, permission_ids } }));
      const params = { path: { role_id: base.id } };
      return await replaceUnchanged({
        base,
        read: () => platform.GET("/platform/roles/{role_id}", { params }),
        write: (ifMatch) =>
          platform.PUT("/platform/roles/{role_id}", {
            params: { ...params, header: { "If-Match": ifMatch } },
            body: { name, permission_ids },
          }),
      });
    },
    onSuccess: (role) => {
      queryClient.setQueryData(["role", role.id], role);
      void forget();
    },
  });
}

/** Deletes a role that no member holds. */
export function useDeleteRole() {
  const forget = useForgetRoles();
  return useMutation({
    mutationFn: async (role_id: string) =>
      answerOf(await platform.DELETE("/platform/roles/{role_id}", { params: { path: { role_id } } })),
    onSuccess: forget,
  });
}

function useForgetRoles() {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ["roles"] });
    await queryClient.invalidateQueries({ queryKey: ["session"] });
  };
}
