import { useState } from "react";
import type { Deployment, ModelVersion } from "../../api/platform.ts";
import { useModelVersions } from "../../models/use-models.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useDeploymentVersions } from "../queries/use-deployments.ts";
import { ActionDialog } from "./action-dialog.tsx";

/** Lets another version answer a share of the predictions. */
export function CanaryDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const own = useDeploymentVersions(deployment.id);
  const ofModel = useModelVersions(deployment.model_id ?? undefined);
  const [chosen, setChosen] = useState<string>();
  const [percent, setPercent] = useState("10");
  const options = [
    ...(ofModel.data ?? [])
      .filter((each) => isTryable(each, deployment))
      .map(({ id, number }) => ({ value: `model ${id}`, label: `model version ${number}` })),
    ...(own.data ?? [])
      .filter(({ id }) => id !== deployment.current_deployment_version_id)
      .map(({ id, number }) => ({ value: `own ${id}`, label: `deployment version ${number}` })),
  ];
  const value = chosen ?? options[0]?.value;
  const share = Number(percent);
  const isShare = Number.isInteger(share) && share >= 1 && share <= 99;
  const [kind, id = ""] = value?.split(" ") ?? [];
  const version = kind === "model" ? { model_version_id: id } : { deployment_version_id: id };
  return (
    <ActionDialog
      deployment={deployment}
      onClose={onClose}
      title={`Try a version of ${deployment.name}`}
      description="The version answers its share once it is healthy. The current one answers the rest."
      action={value !== undefined && isShare ? { kind: "canary", ...version, percent: share } : undefined}
      confirmLabel="Start canary"
    >
      <QueryView query={own} rows={1}>
        {() =>
          options.length === 0 ? (
            <p className="muted">There is no other version to try.</p>
          ) : (
            <SelectField label="Version" value={value ?? ""} onChange={setChosen} options={options} />
          )
        }
      </QueryView>
      <TextField
        label="Share of predictions, percent"
        type="number"
        value={percent}
        onChange={setPercent}
        error={isShare ? undefined : "Type a whole number from 1 to 99."}
      />
    </ActionDialog>
  );
}

function isTryable({ id, status }: ModelVersion, { model_version_id }: Deployment): boolean {
  return status === "ready" && id !== model_version_id;
}
