import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Job, Run } from "../api/platform.ts";
import { useDeployments } from "../deployments/queries/use-deployments.ts";
import { useSparklines } from "../runs/use-runs.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Time } from "../ui/time.tsx";
import { ActivityPanel } from "./activity-panel.tsx";
import { AutomationsPanel } from "./automations-panel.tsx";
import "./home.css";
import { useHomeRuns } from "./use-home.ts";

/** States of a job that has begun and has not ended. */
const activeStates: readonly Job["state"][] = [
  "preparing",
  "running",
  "held",
  "pausing",
  "paused",
  "restoring",
  "finishing",
  "aborting",
];

/** What is going on: active runs, deployments, automations, what failed, and what was done last. */
export function HomePage() {
  const active = useHomeRuns(activeStates.map((state) => `jobs.state = ${state}`).join(" OR "));
  const failed = useHomeRuns("jobs.state = failed");
  return (
    <Page title="Home">
      <div className="home-grid">
        <ActiveRuns runs={active} />
        <DeploymentsPanel />
        <FailedRuns runs={failed} />
        <AutomationsPanel />
        <ActivityPanel />
      </div>
    </Page>
  );
}

function RunLink({ run }: { run: Run }) {
  return (
    <Link to="/runs/$pipelineId/$runId" params={{ pipelineId: run.pipeline_id, runId: run.id }}>
      {run.name}
    </Link>
  );
}

function ActiveRuns({ runs }: { runs: UseQueryResult<Run[]> }) {
  const curves = useSparklines(runs.data ?? []);
  return (
    <Panel title="Active runs" isFlush actions={<Link to="/runs">All runs</Link>}>
      <QueryView query={runs}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No run is active">
              <p>
                <Link to="/runs" search={{ copy: "new" }}>
                  Create a run
                </Link>{" "}
                and start a trainer.
              </p>
            </Empty>
          ) : (
            <ul className="home-list">
              {items.map((run) => {
                const curve = curves.get(run.id);
                return (
                  <li key={run.id}>
                    <span className="grow">
                      <RunLink run={run} />
                    </span>
                    {curve && curve.y.length > 1 && (
                      <Sparkline x={curve.x} y={curve.y} label={`Curve of ${curve.metric}`} />
                    )}
                    <StateChip state={run.jobs[0]?.state ?? "queued"} />
                  </li>
                );
              })}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function FailedRuns({ runs }: { runs: UseQueryResult<Run[]> }) {
  return (
    <Panel title="Failed runs" isFlush>
      <QueryView query={runs}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No run has failed" />
          ) : (
            <ul className="home-list">
              {items.map((run) => (
                <li key={run.id}>
                  <span className="grow">
                    <RunLink run={run} />
                    <span className="muted small-block">
                      {run.jobs.find(({ state }) => state === "failed")?.detail}
                    </span>
                  </span>
                  <Time at={run.created_at} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function DeploymentsPanel() {
  const deployments = useDeployments();
  return (
    <Panel title="Deployments" isFlush actions={<Link to="/deployments">All deployments</Link>}>
      <QueryView query={deployments}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No deployments yet">
              <p>
                Deploy one of your <Link to="/models">models</Link>.
              </p>
            </Empty>
          ) : (
            <ul className="home-list">
              {items.slice(0, 8).map((each) => (
                <li key={each.id}>
                  <span className="grow">
                    <Link to="/deployments/$deploymentId" params={{ deploymentId: each.id }}>
                      {each.name}
                    </Link>
                  </span>
                  <StateChip state={each.status} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
