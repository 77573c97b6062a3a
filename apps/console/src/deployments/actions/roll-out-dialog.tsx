import { useState } from "react";
import type { Deployment } from "../../api/platform.ts";
import { useModelVersions } from "../../models/use-models.ts";
import { SelectField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { ActionDialog } from "./action-dialog.tsx";

/** Rolls out a version of the model. */
export function RollOutDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const versions = useModelVersions(deployment.model_id ?? undefined);
  const [chosen, setChosen] = useState<string>();
  const ready = (versions.data ?? []).filter(({ status }) => status === "ready");
  const id = chosen ?? ready[0]?.id;
  return (
    <ActionDialog
      deployment={deployment}
      onClose={onClose}
      title={`Roll out a version to ${deployment.name}`}
      description="What runs goes on until the new version is healthy. A rollout under way is superseded."
      action={id === undefined ? undefined : { kind: "rollout", model_version_id: id }}
      confirmLabel="Roll out"
    >
      <QueryView query={versions} rows={1}>
        {() => (
          <SelectField
            label="Version of the model"
            value={id ?? ""}
            onChange={setChosen}
            options={ready.map((version) => ({
              value: version.id,
              label: `version ${version.number}${version.id === deployment.model_version_id ? " (serves now)" : ""}`,
            }))}
          />
        )}
      </QueryView>
    </ActionDialog>
  );
}
