import { useEffect, useRef, useState } from "react";
import type { LiveRun } from "../api/live-run.ts";
import type { Command, Job } from "../api/platform.ts";
import type { StreamState } from "../api/use-events.ts";
import { StateChip } from "../ui/chip.tsx";
import { Duration, Time, useNow } from "../ui/time.tsx";
import { commandLabel } from "./commands/command-rules.ts";

interface JobHeadProps {
  live: LiveRun;
  job: Job;
  stream: StreamState;
  commands: readonly Command[];
}

const streamWords: Readonly<Record<StreamState, string>> = {
  connecting: "connecting",
  live: "live",
  reconnecting: "connection lost, asking again",
  ended: "final",
  refused: "not live",
};

/** The state of a job, how long it trains, its signs of life, and whether the page is live. */
export function JobHead({ live, job, stream, commands }: JobHeadProps) {
  const { lifecycle, status } = live;
  const pending = commands.filter((each) => each.status === "pending");
  const isTraining = !["completed", "failed", "aborted", "queued", "paused"].includes(status);
  return (
    <div className="job-head">
      <StateChip state={status} />
      {pending.map(({ id, action }) => (
        <span key={id} className="chip" data-tone="active">
          <span className="spinner" aria-hidden="true" />
          {commandLabel(action)} pending
        </span>
      ))}
      <span className="muted">
        {lifecycle.current_phase}, <Duration seconds={lifecycle.elapsed_seconds} />
      </span>
      {isTraining && <Heartbeat at={lifecycle.heartbeat_at} timeout={job.job?.heartbeat_timeout_seconds || 60} />}
      <span className="stream-state" data-state={stream}>
        {streamWords[stream]}
      </span>
      {job.detail && <span className="muted">{job.detail}</span>}
      <Announcer status={status} commands={commands} />
    </div>
  );
}

function Heartbeat({ at, timeout }: { at: string | null; timeout: number }) {
  const now = useNow();
  const seconds = at ? (now - Date.parse(at)) / 1000 : 0;
  const tone = seconds > timeout ? "bad" : seconds > timeout / 3 ? "warn" : undefined;
  return (
    <span className="heartbeat" data-tone={tone}>
      last sign of the trainer <Time at={at} />
    </span>
  );
}

/** Tells screen readers of a new state and of decided commands, and of nothing else. */
function Announcer({ status, commands }: Pick<JobHeadProps, "commands"> & { status: string }) {
  const [text, setText] = useState("");
  const known = useRef({ status, decided: -1 });
  const decided = commands.filter((each) => each.status !== "pending").length;
  const newest = commands.find((each) => each.status !== "pending");
  useEffect(() => {
    const before = known.current;
    known.current = { status, decided };
    if (before.decided >= 0 && decided > before.decided && newest)
      setText(`${commandLabel(newest.action)} ${newest.status}`);
    else if (before.status !== status) setText(`The job is ${status}`);
  }, [status, decided, newest]);
  return (
    <span className="visually-hidden" role="status" aria-live="polite">
      {text}
    </span>
  );
}
