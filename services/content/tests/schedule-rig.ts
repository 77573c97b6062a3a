import type { DocumentStore } from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import type { AutomationClient } from "./automation-client.ts";

const dayMs = 24 * 3_600_000;

/** A schedule that is due once a day, at the minute that has begun. */
export interface DailySchedule {
  cron: string;
  /** Its due time today. */
  today: Date;
}

/** Not due again by itself while a test runs. */
export function dueThisMinute(now: Date = new Date()): DailySchedule {
  const today = new Date(now);
  today.setUTCSeconds(0, 0);
  return { cron: `${today.getUTCMinutes()} ${today.getUTCHours()} * * *`, today };
}

export const daysAfter = (time: Date, days: number): Date => new Date(time.getTime() + days * dayMs);

/** The schedules of content, as its database has them. */
export class KeptSchedules {
  readonly #store: DocumentStore;

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /** Has a schedule stand where it would, had no replica run since this due time. */
  async standAt(automationId: string, dueAt: Date): Promise<void> {
    const times = { next_run_at: dueAt, due_at: dueAt, active_from: dueAt };
    await this.#store.database
      .collection<{ _id: string }>("automation_schedules")
      .updateOne({ _id: automationId }, { $set: times });
  }
}

/** The due times that have started runs of an automation, in the order in which the runs were made. */
export async function ranAt({ client }: AutomationClient, automationId: string): Promise<string[]> {
  const { runs } = await client.listAutomationRuns({ automationId, limit: 1_000, orderBy: "created_at asc" });
  return runs.map(({ input }) => JSON.parse(input?.text ?? "").due_at);
}

/** When an automation runs next. */
export async function nextRunAt({ client }: AutomationClient, automationId: string): Promise<Date | undefined> {
  const { settings } = await client.getAutomationSettings({ automationId });
  const seconds = settings?.nextRunAt?.seconds;
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1_000);
}

/** Resolves once the automation is due in the future. */
export async function movedOn(automations: AutomationClient, automationId: string): Promise<void> {
  await eventually(async () => ((await nextRunAt(automations, automationId)) ?? new Date(0)) > new Date());
}
