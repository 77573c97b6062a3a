import type { LiveRun } from "../../api/live-run.ts";
import { Panel } from "../../ui/panel.tsx";
import { Duration } from "../../ui/time.tsx";

/** The phases of a job with the time spent in each. */
export function Timeline({ lifecycle }: Pick<LiveRun, "lifecycle">) {
  const total = lifecycle.phases.reduce((sum, { elapsed_seconds: each }) => sum + each, 0);
  return (
    <Panel title="Phases">
      <ol className="timeline">
        {lifecycle.phases.map(({ name, status, elapsed_seconds: seconds }) => (
          <li key={name} data-status={status} aria-current={name === lifecycle.current_phase ? "step" : undefined}>
            <span className="timeline-dot" aria-hidden="true" />
            <span className="grow">{name}</span>
            <span className="visually-hidden">{status}</span>
            <svg className="meter timeline-meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={total === 0 ? 0 : (seconds / total) * 100} height="6" />
            </svg>
            <span className="timeline-time muted">{status === "pending" ? "–" : <Duration seconds={seconds} />}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
