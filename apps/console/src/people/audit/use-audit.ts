import { pageOf } from "../../api/page.ts";
import { platform } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { useList } from "../../api/use-list.ts";
import { type AuditSearch, auditQuery } from "./audit-search.ts";

const pageSize = 50;

/** The records that the address asks for, the newest first. */
export function useAudit(search: AuditSearch) {
  return useList({
    key: ["audit", search],
    isEnabled: useForbidden("audit:read") === undefined,
    keepsPrevious: true,
    read: (cursor, signal) => readAudit(search, { cursor, limit: pageSize, signal }),
  });
}

interface AuditPart {
  cursor: string | undefined;
  /** Records at most, up to 1,000. */
  limit: number;
  signal: AbortSignal;
}

/** One page of records. */
export async function readAudit(search: AuditSearch, { cursor, limit, signal }: AuditPart) {
  const query = { ...auditQuery(search), limit, ...(cursor !== undefined && { cursor }) };
  return pageOf(await platform.GET("/platform/audit", { params: { query }, signal }));
}
