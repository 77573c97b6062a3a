import type { ApiKey } from "../../api/platform.ts";

/** How a key stands: `ending` ones were rotated and work until their overlap is over. */
export type KeyState = "active" | "ending" | "expired" | "revoked";

type Dates = Pick<ApiKey, "revoked_at" | "expires_at" | "replaced_by_id">;

/** How a key stands at a time, ms since 1970. */
export function keyState({ revoked_at, expires_at, replaced_by_id }: Dates, now: number): KeyState {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && Date.parse(expires_at) <= now) return "expired";
  return replaced_by_id === null ? "active" : "ending";
}

/** Whether a key opens something at a time, ms since 1970. */
export function isUsable(key: Dates, now: number): boolean {
  const state = keyState(key, now);
  return state === "active" || state === "ending";
}

/** Why a key cannot be rotated; undefined when it can. */
export function rotateObjection(state: KeyState): string | undefined {
  if (state === "active") return undefined;
  if (state === "ending") return "It was rotated before. Rotate the key that replaced it.";
  return `It is ${state}. Create a new key.`;
}

const day = 86_400;

/** Choices for how long something lasts, with the largest unit that divides it: seconds as a text. */
export function lifetimeText(seconds: number): string {
  const units = [
    [365 * day, "year"],
    [day, "day"],
    [3_600, "hour"],
    [60, "minute"],
  ] as const;
  const [size, name] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** The first moment of the day after a date of a form, in the viewer's zone: a key of that date works all that day. */
export function endOfDay(date: string): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, dayOfMonth + 1).toISOString();
}
