import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Feature, FeatureDeletion } from "../api/platform.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useToast } from "../ui/toasts.tsx";
import { type Deletion, deletionOf, userCount } from "./deletion.ts";
import { useDeleteFeature, useDeletionPreview } from "./use-features.ts";

const maxShown = 10;

const outcomes: Readonly<Record<Deletion, string>> = {
  delete: "It is deleted for good. If its key is used again, that is another feature.",
  deprecate:
    "It is deprecated: what uses it goes on, nothing new may use it, and owners of automations are told. You can restore it.",
  nothing: "It is deprecated already, and stays as long as it is used or kept.",
};

const verbs: Readonly<Record<Deletion, string>> = { delete: "Delete", deprecate: "Deprecate", nothing: "Delete" };

/** Shows what uses a feature and what deleting it would do, and does that. */
export function DeleteFeatureDialog({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const [keeps, setKeeps] = useState(false);
  const preview = useDeletionPreview(feature.key, keeps);
  const remove = useDeleteFeature(feature.key);
  const toast = useToast();
  const navigate = useNavigate();
  const users = preview.data ? usersOf(preview.data) : undefined;
  const deletion = users === undefined ? undefined : deletionOf(feature.status, { isUsed: users > 0, keep: keeps });
  const confirm = () =>
    // What was said to be deprecated is never deleted, also when its last user has gone since.
    remove.mutate(deletion !== "delete", {
      onSuccess: ({ hard_deleted, key, status }) => {
        toast.good(`${key} is ${status}.`);
        onClose();
        if (hard_deleted) void navigate({ to: "/features", ignoreBlocker: true });
      },
    });
  const objection = preview.isFetching ? "Reading what uses it." : "What uses it could not be read.";
  return (
    <ConfirmDialog
      title={`${deletion ? verbs[deletion] : "Delete"} ${feature.key}`}
      description={deletion ? outcomes[deletion] : "What this does depends on what uses the feature."}
      confirmLabel={deletion ? verbs[deletion] : "Delete"}
      isDangerous
      forbidden={deletion === undefined ? objection : deletion === "nothing" ? outcomes.nothing : undefined}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <QueryView query={preview} rows={2}>
        {(data) => <Impact deletion={data} />}
      </QueryView>
      {users === 0 && feature.status === "active" && (
        <CheckboxField
          label="Deprecate it only"
          hint="It stays, and can be restored."
          isChecked={keeps}
          onChange={setKeeps}
        />
      )}
    </ConfirmDialog>
  );
}

const usersOf = ({ impact_warning: { message, affected_assets } }: FeatureDeletion): number =>
  userCount(message, affected_assets.length);

function Impact({ deletion: { impact_warning } }: { deletion: FeatureDeletion }) {
  const { message, affected_assets } = impact_warning;
  return (
    <div className="stack-tight" role="status">
      <p>{message}</p>
      {affected_assets.length > 0 && (
        <ul className="feature-users">
          {affected_assets.slice(0, maxShown).map(({ id, asset_name, asset_type }) => (
            <li key={id}>
              {asset_name} <span className="muted">{asset_type.replaceAll("_", " ")}</span>
            </li>
          ))}
          {affected_assets.length > maxShown && <li className="muted">and others: see the list on the page</li>}
        </ul>
      )}
    </div>
  );
}
