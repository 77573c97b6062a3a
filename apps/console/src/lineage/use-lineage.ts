import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { platform } from "../api/platform.ts";
import type { LineageKind } from "./lineage.ts";

const lookMs = 10_000;

/** What a thing was made of, and what was made of it. */
export function useLineage(kind: LineageKind, id: string) {
  return useQuery({
    queryKey: ["lineage", kind, id],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) =>
      answerOf(await platform.GET("/platform/lineage", { params: { query: { kind, id } }, signal })),
  });
}
