import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  Leases,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { KeptSchedule, MissedRuns } from "./schedule.ts";

interface ScheduleDocument extends TenantDocument {
  version_id: string;
  cron: string;
  time_zone: string;
  missed: MissedRuns;
  next_run_at: Date;
  active_from: Date;
  /** When it is to be looked at; while it has a holder, the end of the lease. */
  due_at: Date;
  holder: string | null;
  /** Looks in a row that failed. Absent: none. */
  failures?: number;
}

/** How a schedule goes on after a due time. */
export interface Advance {
  from: Date;
  to: Date;
  /** Whether the holder is done with it. */
  isLast: boolean;
}

const collection = "automation_schedules";

/** The schedules of published versions of enabled automations. Written by who has claimed the automation, and by a holder. */
export class ScheduleStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "claims", key: { organisation_id: 1, due_at: 1 } },
      { name: "due", key: { due_at: 1 } },
    ],
  };

  /** Who starts the runs of which schedule. */
  readonly leases: Leases<ScheduleDocument, KeptSchedule>;
  readonly #schedules: TenantCollection<ScheduleDocument>;
  #put: (nextRunAt: Date) => void = () => {};

  constructor(store: DocumentStore) {
    this.#schedules = new TenantCollection(store, collection);
    const fields = { holder: "holder", expiresAt: "due_at", failures: "failures" };
    this.leases = new Leases(store, { collection, fields, wanted: {}, read: toKept, hasTimeIndex: true });
  }

  /** Calls back when this process keeps a schedule, with its next due time. One listener. */
  onPut(listener: (nextRunAt: Date) => void): void {
    this.#put = listener;
  }

  async find(organisationId: string, automationId: string, session?: ClientSession): Promise<KeptSchedule | undefined> {
    const document = await this.#schedules.findOne(organisationId, { _id: automationId }, { session });
    return document && toKept(document);
  }

  /** Keeps the schedule in place of the one that is there. Who held that has lost it. */
  async put(schedule: KeptSchedule, session: ClientSession): Promise<void> {
    const { organisationId, automationId, versionId, cron, timeZone, missed, nextRunAt, activeFrom } = schedule;
    const fields = { version_id: versionId, cron, time_zone: timeZone, missed };
    const times = { next_run_at: nextRunAt, active_from: activeFrom };
    const update = { $set: { ...fields, ...times, ...this.leases.freed(nextRunAt) } };
    await this.#schedules.updateOne(organisationId, { _id: automationId }, update, { upsert: true, session });
    this.#put(nextRunAt);
  }

  async delete(organisationId: string, automationId: string, session: ClientSession): Promise<void> {
    await this.#schedules.deleteOne(organisationId, { _id: automationId }, { session });
  }

  /** Keeps which due time is next. Answers whether the holder is still the one and the schedule stood where it says. */
  advance(
    { organisationId, automationId }: Pick<KeptSchedule, "organisationId" | "automationId">,
    { holder, from, to, isLast }: Advance & { holder: string },
    session: ClientSession,
  ): Promise<boolean> {
    const filter = { _id: automationId, next_run_at: from, ...this.leases.fence(holder) };
    const update = { $set: { next_run_at: to, ...(isLast ? this.leases.freed(to) : {}) } };
    return this.#schedules.updateOne(organisationId, filter, update, { session });
  }

  /** Has due times before this one start no run, in the whole organisation. */
  async activateFrom(organisationId: string, time: Date, session: ClientSession): Promise<void> {
    const updates = [{ filter: {}, update: { $set: { active_from: time } } }];
    await this.#schedules.updateEach(organisationId, updates, { session });
  }
}

function toKept(document: ScheduleDocument): KeptSchedule {
  return {
    organisationId: document.organisation_id,
    automationId: document._id,
    versionId: document.version_id,
    cron: document.cron,
    timeZone: document.time_zone,
    missed: document.missed,
    nextRunAt: document.next_run_at,
    activeFrom: document.active_from,
  };
}
