import type { Deployment, DeploymentVersion, ServingState } from "../api/platform.ts";
import { StateChip } from "../ui/chip.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useDeploymentVersions, useServingState } from "./queries/use-deployments.ts";

type ServingVersion = ServingState["versions"][number];

/** The share of each version, and its instances. */
export function ServingPanel({ deployment }: { deployment: Deployment }) {
  const serving = useServingState(deployment.id);
  const versions = useDeploymentVersions(deployment.id);
  return (
    <Panel title="Serving" isFlush>
      <QueryView query={serving} rows={2}>
        {(state) =>
          state.versions.length === 0 ? (
            <Empty title="Nothing serves">
              <p>The first instance appears here while it starts.</p>
            </Empty>
          ) : (
            <ul>
              {state.versions.map((each) => (
                <Version
                  key={each.deployment_version_id}
                  serving={each}
                  version={versions.data?.find(({ id }) => id === each.deployment_version_id)}
                  isCurrent={each.deployment_version_id === deployment.current_deployment_version_id}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

interface VersionProps {
  serving: ServingVersion;
  version: DeploymentVersion | undefined;
  isCurrent: boolean;
}

function Version({ serving, version, isCurrent }: VersionProps) {
  const { percent, instances } = serving;
  return (
    <li className="serving-version">
      <div className="row-between">
        <strong>
          Version {version?.number ?? "…"} {isCurrent && <span className="muted">current</span>}
        </strong>
        <span className="number">{percent} % of predictions</span>
      </div>
      <svg className="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percent} height="6" />
      </svg>
      {instances.length === 0 && <p className="muted">No instance runs.</p>}
      <ul className="stack-tight">
        {instances.map(({ name, state, detail, in_flight, restarts }) => (
          <li key={name} className="instance">
            <StateChip state={state} />
            <code>{name}</code>
            <span className="muted number">
              {in_flight} under way, {restarts} restarts
            </span>
            {detail && <span className="muted">{detail}</span>}
          </li>
        ))}
      </ul>
    </li>
  );
}
