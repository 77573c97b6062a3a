import "uplot/dist/uPlot.min.css";
import "./runs.css";
import { answerOf } from "@aiplatform/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { platform, type RunComparison } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { SelectField } from "../ui/field.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { ComparisonChart } from "./comparison-chart.tsx";
import { RunNews, useNewsQueue } from "./run-news.tsx";
import { useComparableMetrics } from "./use-comparable-metrics.ts";

const route = getRouteApi("/shell/compare");
/** What the streams do not tell, such as a configuration that was edited, is looked for so often, ms. */
const lookMs = 30_000;

/** Live curves of one metric in up to ten runs, and what differs in how they were started. */
export function ComparePage() {
  const { runs: list, metric: asked } = route.useSearch();
  const runIds = list.split(",").filter(Boolean);
  const navigate = useNavigate();
  const [axis, setAxis] = useState<"step" | "seconds">("step");
  const metrics = useComparableMetrics(runIds);
  const metric = asked ?? metrics.data?.primary;
  const comparison = useQuery({
    queryKey: ["comparison", runIds, metric, axis],
    enabled: metric !== undefined && runIds.length > 0,
    refetchInterval: lookMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { run_id: runIds, metric: metric ?? "", axis, max_points: 1_000 };
      return answerOf(await platform.GET("/platform/run-comparison", { params: { query }, signal }));
    },
  });
  const onNews = useNewsQueue(comparison.refetch);
  const choose = (next: string) => void navigate({ to: "/compare", search: { runs: list, metric: next } });
  return (
    <Page title="Comparison" trail={<Link to="/runs">Runs</Link>}>
      <QueryView query={metrics}>
        {({ names }) =>
          names.length === 0 ? (
            <Empty title="These runs have reported no metric yet" />
          ) : (
            <div className="compare-controls">
              <SelectField
                label="Metric"
                value={metric ?? ""}
                onChange={choose}
                options={names.map((name) => ({ value: name, label: name }))}
              />
              <SelectField
                label="Axis"
                value={axis}
                onChange={(next) => setAxis(next === "seconds" ? "seconds" : "step")}
                options={[
                  { value: "step", label: "Steps" },
                  { value: "seconds", label: "Seconds of training" },
                ]}
              />
            </div>
          )
        }
      </QueryView>
      {metric !== undefined && <QueryView query={comparison}>{(data) => <Comparison data={data} />}</QueryView>}
      {comparison.data?.runs.map(({ pipeline_id, run_id }) => (
        <RunNews key={run_id} pipelineId={pipeline_id} runId={run_id} onNews={onNews} />
      ))}
    </Page>
  );
}

function Comparison({ data }: { data: RunComparison }) {
  return (
    <>
      <Panel title={data.metric}>
        <ComparisonChart comparison={data} />
        <ul className="compare-legend">
          {data.runs.map(({ run_id, pipeline_id, name, state }, index) => (
            <li key={run_id} className="row">
              <span className="compare-colour" data-series={index + 1} aria-hidden="true" />
              <Link to="/runs/$pipelineId/$runId" params={{ pipelineId: pipeline_id, runId: run_id }}>
                {name}
              </Link>
              <StateChip state={state} />
            </li>
          ))}
        </ul>
      </Panel>
      <Differences data={data} />
    </>
  );
}

function Differences({ data: { runs, differences, truncated } }: { data: RunComparison }) {
  return (
    <Panel title="Differences" isFlush>
      {differences.length === 0 ? (
        <Empty title="Nothing differs in configuration and parameters" />
      ) : (
        <Table caption="Differences" columns={["Setting", ...runs.map(({ run_id: id, name }) => ({ id, name }))]}>
          {differences.map(({ path, values }) => (
            <tr key={path}>
              <td>
                <code>{path}</code>
              </td>
              {runs.map(({ run_id }, index) => (
                <td key={run_id} className="number">
                  {values[index] == null ? "–" : JSON.stringify(values[index])}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {truncated && <p className="muted padded">More may differ than is shown.</p>}
    </Panel>
  );
}
