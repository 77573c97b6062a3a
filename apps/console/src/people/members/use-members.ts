import { answerOf } from "@aiplatform/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChangedMeanwhileError } from "../../api/changed-since.ts";
import { pageOf } from "../../api/page.ts";
import { type Member, platform } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import type { ListSearch } from "../../ui/list-filter.tsx";

const pageSize = 50;
const lookMs = 10_000;

/** The members that the address asks for. */
export function useMembers(search: ListSearch) {
  const isEnabled = useForbidden("members:manage") === undefined;
  return useList({
    key: ["members", search.filter, search.order],
    isEnabled,
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) =>
      pageOf(
        await platform.GET("/platform/members", { params: { query: listQuery(pageSize, cursor, search) }, signal }),
      ),
  });
}

/** What can be asked of a member. */
export type MemberAction = { kind: "deactivate"; keep_api_keys: boolean } | { kind: "reactivate" };

/** Asks something of a member. */
export function useMemberAction(member_id: string) {
  const keep = useKeepMember();
  return useMutation({
    mutationFn: async (action: MemberAction) => answerOf(await request(member_id, action)),
    onSuccess: keep,
  });
}

/** Replaces the roles of a member, as long as they are still those of the form's beginning. */
export function useSetRoles(member_id: string, base: readonly string[]) {
  const keep = useKeepMember();
  return useMutation({
    mutationFn: async (role_ids: string[]) => {
      const params = { path: { member_id } };
      const { role_ids: current } = answerOf(await platform.GET("/platform/members/{member_id}", { params }));
      if (JSON.stringify(current) !== JSON.stringify(base)) throw new ChangedMeanwhileError(current);
      return answerOf(await platform.PUT("/platform/members/{member_id}/roles", { params, body: { role_ids } }));
    },
    onSuccess: keep,
  });
}

/** Invites a member, who joins with the first token that has the e-mail address. */
export function useInvite() {
  const keep = useKeepMember();
  return useMutation({
    mutationFn: async ({ role_ids, ...member }: { display_name: string; email: string; role_ids: string[] }) =>
      answerOf(await platform.POST("/platform/members", { body: { member, role_ids } })),
    onSuccess: keep,
  });
}

function request(member_id: string, action: MemberAction) {
  const params = { path: { member_id } };
  switch (action.kind) {
    case "deactivate": {
      const { keep_api_keys } = action;
      return platform.POST("/platform/members/{member_id}/deactivate", { params, body: { keep_api_keys } });
    }
    case "reactivate":
      return platform.POST("/platform/members/{member_id}/reactivate", { params });
  }
}

/** Shows a member as the API answered it, and has everything that depends on it read again. */
function useKeepMember() {
  const queryClient = useQueryClient();
  return (member: Member) => {
    queryClient.setQueryData(["member", member.id], member);
    for (const key of ["members", "known-members", "holders", "api-keys", "sessions", "session"])
      void queryClient.invalidateQueries({ queryKey: [key] });
  };
}
