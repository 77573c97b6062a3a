import type { Deployment, Rollout } from "../api/platform.ts";
import { StateChip } from "../ui/chip.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";
import { Duration, Time, useNow } from "../ui/time.tsx";
import { useDeploymentVersions, useRollouts } from "./queries/use-deployments.ts";

/** The rollouts of a deployment, the newest first. */
export function RolloutsPanel({ deployment }: { deployment: Deployment }) {
  const rollouts = useRollouts(deployment.id);
  const versions = useDeploymentVersions(deployment.id);
  const numbers = new Map(versions.data?.map(({ id, number }) => [id, number]));
  return (
    <Panel title="Rollouts" isFlush>
      <QueryView query={rollouts}>
        {(items) => (
          <Table caption="Rollouts" columns={["Version", "Status", "Took", "Queued"]}>
            {items.map((rollout) => (
              <tr key={rollout.id}>
                <td className="number">{numbers.get(rollout.deployment_version_id) ?? "–"}</td>
                <td>
                  <StateChip state={rollout.status} />
                  {rollout.error && <div className="rollout-error">{rollout.error}</div>}
                </td>
                <td>
                  <Took rollout={rollout} />
                </td>
                <td>
                  <Time at={rollout.queued_at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </QueryView>
    </Panel>
  );
}

function Took({ rollout: { queued_at, ended_at } }: { rollout: Rollout }) {
  const now = useNow();
  const end = ended_at === null ? now : Date.parse(ended_at);
  return <Duration seconds={(end - Date.parse(queued_at)) / 1000} />;
}
