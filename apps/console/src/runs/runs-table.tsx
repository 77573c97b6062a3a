import { Link } from "@tanstack/react-router";
import type { Run } from "../api/platform.ts";
import { StateChip } from "../ui/chip.tsx";
import { metricText } from "../ui/numbers.ts";
import { Sparkline } from "../ui/sparkline.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { bestOf } from "./best-value.ts";
import { type RunCurve, useSparklines } from "./use-runs.ts";

interface RunsTableProps {
  runs: readonly Run[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

/** Runs as a table, each with the curve of its primary metric. */
export function RunsTable({ runs, selected, onSelect }: RunsTableProps) {
  const curves = useSparklines(runs);
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <Table
      caption="Runs"
      columns={[{ name: "Selected", isHidden: true }, "Name", "State", "Primary metric", "Tags", "Created"]}
    >
      {runs.map((run) => (
        <RunRow
          key={run.id}
          run={run}
          curve={curves.get(run.id)}
          isSelected={selected.has(run.id)}
          onToggle={() => toggle(run.id)}
        />
      ))}
    </Table>
  );
}

interface RunRowProps {
  run: Run;
  curve: RunCurve | undefined;
  isSelected: boolean;
  onToggle: () => void;
}

function RunRow({ run, curve, isSelected, onToggle }: RunRowProps) {
  const { id, pipeline_id, name, jobs, tags, created_at } = run;
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          className="checkbox"
          checked={isSelected}
          onChange={onToggle}
          aria-label={`Select ${name}`}
        />
      </td>
      <td className="run-name">
        <Link to="/runs/$pipelineId/$runId" params={{ pipelineId: pipeline_id, runId: id }}>
          {name}
        </Link>
      </td>
      <td>
        <span className="row">
          {jobs.map(({ job, state }) => (
            <StateChip key={job?.name} state={state} />
          ))}
        </span>
      </td>
      <td>
        <Metric run={run} curve={curve} />
      </td>
      <td>
        <span className="row">
          {Object.entries(tags)
            .slice(0, 4)
            .map(([key, value]) => (
              <span key={key} className="tag">
                {key}={value}
              </span>
            ))}
        </span>
      </td>
      <td>
        <Time at={created_at} />
      </td>
    </tr>
  );
}

function Metric({ run, curve }: { run: Run; curve: RunCurve | undefined }) {
  const goal = run.jobs[0]?.job?.primary_metric_goal;
  if (!curve || curve.y.length === 0) return <span className="muted">–</span>;
  const best = bestOf(curve.y, goal ?? "maximize");
  return (
    <span className="run-metric">
      {curve.y.length > 1 && <Sparkline x={curve.x} y={curve.y} label={`${curve.metric}, best ${metricText(best)}`} />}
      <span>
        <strong className="number">{metricText(best)}</strong>
        <span className="muted small-block">{curve.metric}</span>
      </span>
    </span>
  );
}
