import "uplot/dist/uPlot.min.css";
import "./run.css";
import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Job, platform, type Run } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Empty } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { JobView } from "./job-view.tsx";

const route = getRouteApi("/shell/runs/$pipelineId/$runId");

/** A run: each of its jobs live, with its commands. */
export function RunPage() {
  const { pipelineId: pipeline_id, runId: run_id } = route.useParams();
  const { job: chosen } = route.useSearch();
  const run = useQuery({
    queryKey: ["run", run_id],
    queryFn: async ({ signal }) => {
      const params = { path: { pipeline_id, run_id } };
      return answerOf(await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}", { params, signal }));
    },
  });
  const name = run.data?.name ?? "Run";
  return (
    <Page title={name} trail={<Link to="/runs">Runs</Link>} actions={run.data && <CopyRunLink run={run.data} />}>
      <QueryView query={run}>
        {(data) => {
          const job = data.jobs.find((each) => each.job?.name === chosen) ?? data.jobs[0];
          if (!job?.job) return <Empty title="This run has no jobs" />;
          return (
            <>
              <RunTags run={data} />
              <RunDatasets run={data} />
              {data.jobs.length > 1 && <JobLinks run={data} current={job} />}
              <JobView key={`${data.id} ${job.job.name}`} run={data} job={job} name={job.job.name} />
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function CopyRunLink({ run: { pipeline_id, id } }: { run: Run }) {
  return (
    <Link className="button" to="/runs" search={{ copy: `${pipeline_id}/${id}` }}>
      New run like this
    </Link>
  );
}

function RunTags({ run: { tags } }: { run: Run }) {
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <ul className="row" aria-label="Tags">
      {entries.map(([key, value]) => (
        <li key={key} className="tag">
          {key}={value}
        </li>
      ))}
    </ul>
  );
}

/** The versions of datasets that the run reads. */
function RunDatasets({ run: { datasets } }: { run: Run }) {
  if (datasets.length === 0) return null;
  return (
    <ul className="row" aria-label="Data that it reads">
      {datasets.map(({ name, dataset_id, version_id, number, row_count }) => (
        <li key={name}>
          <Link
            className="tag"
            to="/data/$datasetId"
            params={{ datasetId: dataset_id }}
            search={{ tab: "versions", version: version_id }}
          >
            {name}: version {number}, {row_count.toLocaleString("en")} {row_count === 1 ? "row" : "rows"}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function JobLinks({ run, current }: { run: Run; current: Job }) {
  return (
    <nav aria-label="Jobs" className="row">
      {run.jobs.map((each) => {
        const name = each.job?.name ?? "";
        return (
          <Link
            key={name}
            to="/runs/$pipelineId/$runId"
            params={{ pipelineId: run.pipeline_id, runId: run.id }}
            search={{ job: name }}
            className="button"
            aria-current={each === current ? "page" : undefined}
          >
            {name} <StateChip state={each.state} />
          </Link>
        );
      })}
    </nav>
  );
}
