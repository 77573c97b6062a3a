import { getRouteApi, Link } from "@tanstack/react-router";
import { apiUrl, type ModelVersion } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { bytesText } from "../ui/numbers.ts";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { DeployButton } from "./deploy-button.tsx";
import { useModel, useModelVersions } from "./use-models.ts";

const route = getRouteApi("/shell/models/$modelId");

/** A model with its versions and where each came from. */
export function ModelPage() {
  const { modelId } = route.useParams();
  const model = useModel(modelId);
  const versions = useModelVersions(modelId);
  const name = model.data?.name ?? "Model";
  return (
    <Page
      title={name}
      trail={<Link to="/models">Models</Link>}
      actions={model.data && <DeployButton model={model.data} />}
    >
      <QueryView query={model} rows={1}>
        {({ description }) => description && <p className="muted">{description}</p>}
      </QueryView>
      <Panel title="Versions" isFlush>
        <QueryView query={versions}>
          {(items) => (items.length === 0 ? <Empty title="No versions yet" /> : <VersionsTable versions={items} />)}
        </QueryView>
      </Panel>
    </Page>
  );
}

function VersionsTable({ versions }: { versions: readonly ModelVersion[] }) {
  return (
    <Table caption="Versions" columns={["Version", "Status", "Origin", "Artifact", "Registered"]}>
      {versions.map(({ id, number, status, status_detail, source, format, size_bytes, created_at }) => (
        <tr key={id}>
          <td className="number">{number}</td>
          <td>
            <StateChip state={status} />
            {status_detail && <div className="muted">{status_detail}</div>}
          </td>
          <td>
            {source ? (
              <Link
                to="/runs/$pipelineId/$runId"
                params={{ pipelineId: source.pipeline_id, runId: source.run_id }}
                search={{ job: source.job_name }}
              >
                job {source.job_name} of a run
              </Link>
            ) : (
              "upload"
            )}
          </td>
          <td className="nowrap">
            {status === "ready" ? (
              <a href={`${apiUrl}/platform/model-versions/${id}/artifact`} download>
                {format}, {bytesText(size_bytes)}
              </a>
            ) : (
              format
            )}
          </td>
          <td>
            <Time at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
