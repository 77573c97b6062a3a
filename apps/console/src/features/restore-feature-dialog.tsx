import type { Feature } from "../api/platform.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useRestoreFeature } from "./use-features.ts";

/** Makes a deprecated feature active again. */
export function RestoreFeatureDialog({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const restore = useRestoreFeature(feature.key);
  return (
    <ConfirmDialog
      title={`Restore ${feature.key}`}
      description={`It becomes active again, as version ${feature.version + 1}, and new things may use it.`}
      confirmLabel="Restore"
      isPending={restore.isPending}
      error={restore.error}
      onConfirm={() => restore.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
