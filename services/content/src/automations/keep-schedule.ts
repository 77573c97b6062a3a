import type { ClientSession } from "@aiplatform/document-store";
import { nextDueTime } from "../automation-schedules/due-times.ts";
import { isSameTimes } from "../automation-schedules/schedule.ts";
import type { ScheduleStore } from "../automation-schedules/schedule-store.ts";
import type { Automation } from "./automation.ts";

export interface KeepScheduleDependencies {
  schedules: ScheduleStore;
  /** The database's clock. */
  now: () => Date;
}

/**
 * Keeps the schedule of a claimed automation as the automation is now: an enabled one with a published version that has one is due
 * from now on, any other never. A due time that has passed and waits for its run is not lost to a version that is due at the same times.
 */
export async function keepSchedule(
  { schedules, now }: KeepScheduleDependencies,
  { id: automationId, organisationId, currentVersion: version, settings }: Automation,
  session: ClientSession,
): Promise<void> {
  const schedule = version?.trigger?.schedule;
  if (!version || !schedule || !settings.enabled) return schedules.delete(organisationId, automationId, session);
  const known = await schedules.find(organisationId, automationId, session);
  const time = now();
  const standing =
    known && isSameTimes(known, schedule)
      ? { nextRunAt: known.nextRunAt, activeFrom: known.activeFrom }
      : { nextRunAt: nextDueTime(schedule, time), activeFrom: time };
  await schedules.put({ organisationId, automationId, versionId: version.id, ...schedule, ...standing }, session);
}
