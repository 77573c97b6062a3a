import "./deployments.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { Deployment } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Time } from "../ui/time.tsx";
import { DeploymentActions } from "./actions/deployment-actions.tsx";
import { PredictionPanel } from "./prediction/prediction-panel.tsx";
import { useDeployment } from "./queries/use-deployments.ts";
import { RolloutsPanel } from "./rollouts-panel.tsx";
import { ServingPanel } from "./serving-panel.tsx";

const route = getRouteApi("/shell/deployments/$deploymentId");

/** A deployment: what serves, how its rollouts went, and a place to try it. */
export function DeploymentPage() {
  const { deploymentId } = route.useParams();
  const deployment = useDeployment(deploymentId);
  const name = deployment.data?.name ?? "Deployment";
  return (
    <Page
      title={name}
      trail={<Link to="/deployments">Deployments</Link>}
      actions={deployment.data && <DeploymentActions deployment={deployment.data} />}
    >
      <QueryView query={deployment}>{(data) => <DeploymentView deployment={data} />}</QueryView>
    </Page>
  );
}

function DeploymentView({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <p className="row" role="status">
        <StateChip state={deployment.status} />
        <span className="muted">newest rollout</span>
        <StateChip state={deployment.rollout_status} />
      </p>
      {deployment.rollout_error && (
        <div className="notice" data-tone="bad">
          <CircleAlert size={16} aria-hidden="true" />
          <p>The newest rollout failed: {deployment.rollout_error}</p>
        </div>
      )}
      <div className="deployment-columns">
        <div className="stack">
          <ServingPanel deployment={deployment} />
          <RolloutsPanel deployment={deployment} />
        </div>
        <div className="stack">
          <PredictionPanel deployment={deployment} />
          <FactsPanel deployment={deployment} />
        </div>
      </div>
    </>
  );
}

function FactsPanel({ deployment }: { deployment: Deployment }) {
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>Model</dt>
        <dd>
          {deployment.model_id ? (
            <Link to="/models/$modelId" params={{ modelId: deployment.model_id }}>
              open the model
            </Link>
          ) : (
            "a bundle of its own"
          )}
        </dd>
        <dt>Service</dt>
        <dd>
          <code>{deployment.service_name}</code>
        </dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={deployment.id} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={deployment.created_at} />
        </dd>
      </dl>
    </Panel>
  );
}
