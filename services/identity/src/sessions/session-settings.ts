import { SessionCookie } from "@aiplatform/caller-identity";
import type { SessionLimits } from "./session.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What sessions are set up with. */
export interface SessionSettings {
  sessionLimits: SessionLimits;
  /** Absent: browsers have no safe way to keep a session here. */
  sessionCookie: SessionCookie | undefined;
}

/** Reads them from the service's settings. */
export function readSessionSettings(given: {
  readonly PUBLIC_URL: string | undefined;
  readonly SESSION_IDLE_MINUTES: number;
  readonly SESSION_MAX_HOURS: number;
}): SessionSettings {
  return {
    sessionLimits: { idleMs: given.SESSION_IDLE_MINUTES * minuteMs, maxMs: given.SESSION_MAX_HOURS * hourMs },
    sessionCookie: SessionCookie.at(given.PUBLIC_URL),
  };
}
