import { useState } from "react";
import type { Deployment } from "../../api/platform.ts";
import { SelectField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useDeploymentVersions } from "../queries/use-deployments.ts";
import { ActionDialog } from "./action-dialog.tsx";

/** Goes back to an earlier version of the deployment. */
export function RollBackDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const versions = useDeploymentVersions(deployment.id);
  const [chosen, setChosen] = useState<string>();
  const others = (versions.data ?? []).filter(({ id }) => id !== deployment.current_deployment_version_id);
  const id = chosen ?? others[0]?.id;
  return (
    <ActionDialog
      deployment={deployment}
      onClose={onClose}
      title={`Roll ${deployment.name} back`}
      description="What runs goes on until the earlier version is healthy."
      action={id === undefined ? undefined : { kind: "rollback", deployment_version_id: id }}
      confirmLabel="Roll back"
    >
      <QueryView query={versions} rows={1}>
        {() =>
          others.length === 0 ? (
            <p className="muted">There is no other version to go back to.</p>
          ) : (
            <SelectField
              label="Version of the deployment"
              value={id ?? ""}
              onChange={setChosen}
              options={others.map(({ id: value, number }) => ({ value, label: `version ${number}` }))}
            />
          )
        }
      </QueryView>
    </ActionDialog>
  );
}
