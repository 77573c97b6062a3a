import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { pageOf } from "../api/page.ts";
import { platform } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";

const freshMs = 60_000;

/** One member. Not asked for where the caller may not read members. */
export function useMember(member_id: string | null) {
  const isAllowed = useForbidden("members:manage") === undefined;
  return useQuery({
    queryKey: ["member", member_id],
    enabled: isAllowed && member_id !== null,
    staleTime: freshMs,
    queryFn: async ({ signal }) => {
      const params = { path: { member_id: member_id ?? "" } };
      return answerOf(await platform.GET("/platform/members/{member_id}", { params, signal }));
    },
  });
}

/** Members of whom there are enough to name most people on a page: the first thousand. */
export function useKnownMembers() {
  const isAllowed = useForbidden("members:manage") === undefined;
  return useQuery({
    queryKey: ["known-members"],
    enabled: isAllowed,
    staleTime: freshMs,
    queryFn: async ({ signal }) => {
      const { items, next } = pageOf(await platform.GET("/platform/members", { params: {}, signal }));
      return { byId: new Map(items.map((member) => [member.id, member])), isWhole: next === undefined };
    },
  });
}
