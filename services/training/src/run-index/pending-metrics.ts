import type { AcceptedReport } from "../metric-reports/report.ts";

/** What reports of a run have said since it was last indexed. */
export interface PendingRun {
  organisationId: string;
  runId: string;
  /** The reports behind this sequence, up to `to`, are all in `latest`. */
  from: number;
  to: number;
  latest: Map<string, number>;
}

/** The last values of runs that were reported here, until they are indexed. */
export class PendingMetrics {
  #runs = new Map<string, PendingRun>();

  /** Takes the next report of a run that became durable here. */
  add({ organisationId, runId, sequence, archived, report }: AcceptedReport): void {
    let run = this.#runs.get(runId);
    if (!run) {
      run = { organisationId, runId, from: sequence - 1, to: sequence - 1, latest: new Map() };
      this.#runs.set(runId, run);
    }
    // Another replica stored what is between: the database has it.
    if (sequence !== run.to + 1) run.from = Number.POSITIVE_INFINITY;
    run.to = sequence;
    if (!archived) addLatest(run.latest, report);
  }

  /** All of them, which are forgotten here. */
  take(): PendingRun[] {
    const taken = [...this.#runs.values()];
    this.#runs = new Map();
    return taken;
  }
}

/** Puts the last value of each metric of a report in place of what there was. */
export function addLatest(latest: Map<string, number>, { columns }: Pick<AcceptedReport["report"], "columns">): void {
  for (const { name, values } of columns) {
    const last = values[values.length - 1];
    if (last !== undefined) latest.set(name, last);
  }
}
