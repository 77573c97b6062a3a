import type { AuditRecord } from "../../api/platform.ts";
import { searchTexts } from "../../shell/search-texts.ts";

/** What the address of the audit log says. Times are in UTC, so that it means the same to everyone. */
export interface AuditSearch {
  since?: string;
  until?: string;
  member?: string;
  credential?: string;
  action?: string;
  outcome?: string;
  entity?: string;
  request?: string;
  /** In the grammar of the API's lists. */
  filter?: string;
}

const names = [
  "since",
  "until",
  "member",
  "credential",
  "action",
  "outcome",
  "entity",
  "request",
  "filter",
] as const satisfies readonly (keyof AuditSearch)[];

/** Reads the address; what is no text there is left out. */
export const readAuditSearch: (search: Record<string, unknown>) => AuditSearch = searchTexts(...names);

const outcomes: readonly AuditRecord["outcome"][] = ["done", "refused"];

/** The parameters of the API for an address. */
export function auditQuery(search: AuditSearch) {
  const { since, until, member, credential, action, entity, request, filter } = search;
  const outcome = outcomes.find((each) => each === search.outcome);
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(member !== undefined && { member_id: member }),
    ...(credential !== undefined && { credential_id: credential }),
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(entity !== undefined && { entity_id: entity }),
    ...(request !== undefined && { request_id: request }),
    ...(filter !== undefined && { filter }),
  };
}

/** A time of the address as a field of a form has it: in the viewer's zone, to the minute. Empty where there is none. */
export function localTime(utc: string | undefined): string {
  const time = utc === undefined ? Number.NaN : Date.parse(utc);
  if (Number.isNaN(time)) return "";
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time of a field of a form, in UTC; undefined where it is empty. */
export function utcTime(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
