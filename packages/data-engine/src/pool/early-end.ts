/** Why a process ends before its time. */
export const earlyEnds = ["crash", "time", "memory", "disk", "cancelled"] as const;
export type EarlyEnd = (typeof earlyEnds)[number];
