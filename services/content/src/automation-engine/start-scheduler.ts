import type { Platform } from "@aiplatform/service-host";
import { ClaimingWorker } from "@aiplatform/service-kit";
import { createInstruments } from "@aiplatform/telemetry";
import type { KeptSchedule } from "../automation-schedules/schedule.ts";
import type { ContentConfig } from "../config.ts";
import { workMetrics } from "../content-metrics.ts";
import { type StartDueRunsDependencies, startDueRuns } from "./start-due-runs.ts";

/** Schedules that one process looks at at once. */
const concurrency = 10;
/** After failures in a row, ms: half a minute of what may pass before a due time counts as missed. */
const backoff = { minMs: 1_000, maxMs: 30_000 };

export interface SchedulerDependencies extends Omit<StartDueRunsDependencies, "logger" | "counted"> {
  /** Organisations whose work waits. */
  waitingOrganisations: () => Promise<ReadonlySet<string>>;
}

/** Starts what starts runs at the due times of schedules, once over all replicas. */
export function startScheduler(
  config: Pick<ContentConfig, "AUTOMATION_LEASE_MS">,
  { logger, meter, tracer }: Pick<Platform, "logger" | "meter" | "tracer">,
  dependencies: SchedulerDependencies,
): ClaimingWorker<KeptSchedule> {
  const { automation_due_times_total } = createInstruments(meter, {
    automation_due_times_total: workMetrics.automation_due_times_total,
  });
  const counted: StartDueRunsDependencies["counted"] = (outcome) => automation_due_times_total.add(1, { outcome });
  const starting = { ...dependencies, logger, counted };
  const { schedules, waitingOrganisations, now } = dependencies;
  const worker = new ClaimingWorker<KeptSchedule>(
    { logger, tracer, meter },
    {
      name: "automation-schedules",
      leases: schedules.leases,
      waitingOrganisations,
      leaseMs: config.AUTOMATION_LEASE_MS,
      ...{ concurrency, backoff },
      run: (claim, signal) => startDueRuns(starting, claim, signal),
    },
  );
  // Kept a moment before its due time, it is not late: the process that keeps it looks in time.
  schedules.onPut((nextRunAt) => worker.wakeWithin(nextRunAt.getTime() - now().getTime()));
  return worker;
}
