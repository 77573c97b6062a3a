import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { pageOf } from "./page.ts";
import { platform } from "./platform.ts";
import { readPages } from "./read-pages.ts";
import { useForbidden, useSession } from "./session.ts";
import { listQuery } from "./use-list.ts";

const minutesMs = 5 * 60_000;

/** The name of a member; undefined while it is read, and for callers who may not read members. */
export function useMemberName(member_id: string | null): string | undefined {
  const { data: session } = useSession();
  const forbidden = useForbidden("members:manage");
  const own = session?.member?.id === member_id ? session?.member?.display_name : undefined;
  const { data } = useQuery({
    queryKey: ["member-name", member_id],
    enabled: member_id !== null && own === undefined && forbidden === undefined,
    staleTime: minutesMs,
    queryFn: async ({ signal }) => {
      const params = { path: { member_id: member_id ?? "" } };
      return answerOf(await platform.GET("/platform/members/{member_id}", { params, signal })).display_name;
    },
  });
  return own ?? data;
}

/** The members of the organisation; none for callers who may not read them. */
export function useMembers() {
  const forbidden = useForbidden("members:manage");
  return useQuery({
    queryKey: ["members-to-choose"],
    enabled: forbidden === undefined,
    staleTime: minutesMs,
    queryFn: ({ signal }) =>
      readPages({
        maxPages: 5,
        read: async (cursor) => {
          const params = { query: listQuery(1_000, cursor) };
          return pageOf(await platform.GET("/platform/members", { params, signal }));
        },
      }),
  });
}
