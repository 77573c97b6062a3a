import { useState } from "react";
import type { Deployment } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { useServingState } from "../queries/use-deployments.ts";
import { CanaryDialog } from "./canary-dialog.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { deploymentObjection } from "./deployment-rules.ts";
import { RollBackDialog } from "./roll-back-dialog.tsx";
import { RollOutDialog } from "./roll-out-dialog.tsx";

type Asked = "rollout" | "rollback" | "canary" | "end-canary" | "stop" | "start";

/** What can be done with a deployment; what cannot be done now says why. */
export function DeploymentActions({ deployment }: { deployment: Deployment }) {
  const [asked, setAsked] = useState<Asked>();
  const forbidden = useForbidden("deployments:write");
  const { data: serving } = useServingState(deployment.id);
  const hasCanary = (serving?.versions.filter(({ percent }) => percent > 0).length ?? 0) > 1;
  const close = () => setAsked(undefined);
  const button = (action: Asked, label: string) => (
    <Button forbidden={forbidden ?? deploymentObjection(action, deployment)} onClick={() => setAsked(action)}>
      {label}
    </Button>
  );
  const dialog = { deployment, onClose: close };
  return (
    <>
      {button("rollout", "Roll out")}
      {button("rollback", "Roll back")}
      {hasCanary ? button("end-canary", "End canary") : button("canary", "Canary")}
      {deployment.status === "Stopped" ? button("start", "Start") : button("stop", "Stop")}
      {asked === "rollout" && <RollOutDialog {...dialog} />}
      {asked === "rollback" && <RollBackDialog {...dialog} />}
      {asked === "canary" && <CanaryDialog {...dialog} />}
      {(asked === "end-canary" || asked === "stop" || asked === "start") && <ConfirmDialog {...dialog} kind={asked} />}
    </>
  );
}
