import { hash } from "node:crypto";
import type { Action } from "../job-log/job-entry.ts";
import { parseOverrides } from "./runtime-overrides.ts";

/** When a pause ends by itself: at a time, or so long after it was recorded. */
export type PauseEnd = { until: Date; afterMs?: undefined } | { until?: undefined; afterMs: number };

/** What makes two requests the same command. The lease token is no part of it: it proves, it does not ask. */
export interface CommandBody {
  action: Action;
  checkpointId?: string;
  overrides: string;
  supervisionId?: string;
  /** How a pause says when it ends. */
  pauseEnd?: PauseEnd;
}

/** SHA-256 of the body, the same for bodies that are equal as JSON. */
export function commandFingerprint({ action, checkpointId, overrides, supervisionId, pauseEnd }: CommandBody): string {
  const members = [
    action,
    checkpointId ?? null,
    supervisionId ?? null,
    parseOverrides(overrides)?.canonical ?? overrides,
    ...(pauseEnd ? [pauseEnd.until?.toISOString() ?? pauseEnd.afterMs] : []),
  ];
  return hash("sha256", JSON.stringify(members), "base64url");
}
