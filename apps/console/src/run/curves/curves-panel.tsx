import { useCallback, useRef, useState } from "react";
import type { LiveRun } from "../../api/live-run.ts";
import { metricText } from "../../ui/numbers.ts";
import { Empty, Panel } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { MetricFigure } from "./metric-figure.tsx";
import type { SeriesStore } from "./series-store.ts";

/** All curves of a job, the primary metric first and large, or their newest values as a table. */
export function CurvesPanel({ live, store }: { live: LiveRun; store: SeriesStore }) {
  const [isLogarithmic, setIsLogarithmic] = useState(false);
  const [isTable, setIsTable] = useState(false);
  const segments = useRef(live.segments);
  segments.current = live.segments;
  const segmentsNow = useCallback(() => segments.current, []);
  const primary = live.primary?.name;
  const names = Object.keys(live.metrics).sort((one, other) => Number(other === primary) - Number(one === primary));
  const actions = (
    <>
      <Toggle label="Log scale" isOn={isLogarithmic} onChange={setIsLogarithmic} />
      <Toggle label="As table" isOn={isTable} onChange={setIsTable} />
    </>
  );
  return (
    <Panel title="Curves" actions={names.length > 0 && actions}>
      {names.length === 0 && (
        <Empty title="No points yet">
          <p>The curves begin with the first report of the trainer.</p>
        </Empty>
      )}
      {isTable ? (
        <MetricTable live={live} names={names} />
      ) : (
        <div className="metric-grid">
          {names.map((metric) => (
            <MetricFigure
              key={metric}
              metric={metric}
              store={store}
              segments={segmentsNow}
              isLogarithmic={isLogarithmic}
              isPrimary={metric === primary}
              value={live.metrics[metric]?.value}
              step={live.metrics[metric]?.step}
              bestValue={metric === primary ? live.primary?.best?.value : undefined}
              bestStep={metric === primary ? live.primary?.best?.step : undefined}
            />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="row toggle">
      <input type="checkbox" className="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

function MetricTable({ live, names }: { live: LiveRun; names: readonly string[] }) {
  return (
    <Table
      caption="Newest values"
      columns={["Metric", { name: "Value", isRight: true }, { name: "Step", isRight: true }]}
    >
      {names.map((name) => (
        <tr key={name}>
          <td>{name}</td>
          <td className="right number">{metricText(live.metrics[name]?.value)}</td>
          <td className="right number">{live.metrics[name]?.step}</td>
        </tr>
      ))}
    </Table>
  );
}
