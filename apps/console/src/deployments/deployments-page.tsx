import { Link } from "@tanstack/react-router";
import type { Deployment } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Empty } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { useDeployments } from "./queries/use-deployments.ts";

/** The deployments of the organisation. */
export function DeploymentsPage() {
  const deployments = useDeployments();
  return (
    <Page
      title="Deployments"
      actions={
        <Link className="button" to="/models">
          Deploy a model
        </Link>
      }
    >
      <section className="panel" aria-label="List of deployments">
        <QueryView query={deployments}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="No deployments yet">
                <p>
                  Choose a model and deploy it: <Link to="/models">models</Link>.
                </p>
              </Empty>
            ) : (
              <DeploymentsTable deployments={items} />
            )
          }
        </QueryView>
      </section>
    </Page>
  );
}

function DeploymentsTable({ deployments }: { deployments: readonly Deployment[] }) {
  return (
    <Table caption="Deployments" columns={["Name", "Status", "Newest rollout", "Service", "Changed"]}>
      {deployments.map((each) => (
        <tr key={each.id}>
          <td>
            <Link to="/deployments/$deploymentId" params={{ deploymentId: each.id }}>
              {each.name}
            </Link>
          </td>
          <td>
            <StateChip state={each.status} />
          </td>
          <td>
            <StateChip state={each.rollout_status} />
          </td>
          <td>
            <code>{each.service_name}</code>
          </td>
          <td>
            <Time at={each.updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
