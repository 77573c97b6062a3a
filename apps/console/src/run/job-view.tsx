import { useMemo } from "react";
import type { Job, Run } from "../api/platform.ts";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { LoadingRows } from "../ui/panel.tsx";
import { CommandBar } from "./commands/command-bar.tsx";
import { LeasePanel } from "./commands/lease-panel.tsx";
import { useCommands } from "./commands/use-commands.ts";
import { useLease } from "./commands/use-lease.ts";
import { CurvesPanel } from "./curves/curves-panel.tsx";
import { DetailsTabs } from "./details/details-tabs.tsx";
import { ResourcesPanel } from "./details/resources-panel.tsx";
import { Timeline } from "./details/timeline.tsx";
import { JobHead } from "./job-head.tsx";
import { useLiveRun } from "./use-live-run.ts";

/** A job, live. It is rendered several times a second, so what is expensive compares its properties first. What it keeps is of one job: another one needs another `key`. */
export function JobView({ run, job, name }: { run: Run; job: Job; name: string }) {
  const { pipeline_id, id: run_id } = run;
  const address = useMemo(() => ({ pipeline_id, run_id, job_name: name }), [pipeline_id, run_id, name]);
  const { live, store, stream, error } = useLiveRun(address);
  const commands = useCommands(address);
  const lease = useLease(address, commands.length);
  if (!live) return error ? <ErrorNotice error={error} /> : <LoadingRows rows={6} />;
  const { heartbeat_at } = live.lifecycle;
  return (
    <>
      <JobHead live={live} job={job} stream={stream} commands={commands} />
      <CommandBar address={address} job={job} state={stateOf(live.status)} lease={lease.own} />
      <div className="run-columns">
        <div className="stack">
          <CurvesPanel live={live} store={store} />
          <DetailsTabs address={address} run={run} job={job} commands={commands} heartbeatAt={heartbeat_at} />
        </div>
        <div className="stack">
          <Timeline lifecycle={live.lifecycle} />
          <LeasePanel lease={lease} />
          <ResourcesPanel resources={live.resources} />
        </div>
      </div>
    </>
  );
}

/** A job that is stalled or lost is running as far as its commands are concerned. */
function stateOf(status: string): string {
  return status === "stalled" || status === "lost" ? "running" : status;
}
