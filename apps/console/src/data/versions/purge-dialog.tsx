import { totalsText } from "../../lineage/lineage.ts";
import { LineageTable } from "../../lineage/lineage-table.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { type DatasetVersion, usePurgeUses, usePurgeVersion } from "./use-versions.ts";

/** Asks before the data of a version is removed, and says what has used it. */
export function PurgeDialog({ version, onClose }: { version: DatasetVersion; onClose: () => void }) {
  const path = { dataset_id: version.dataset_id, version_id: version.id };
  const toast = useToast();
  const purge = usePurgeVersion(path);
  const uses = usePurgeUses(path);
  return (
    <ConfirmDialog
      title={`Purge version ${version.number}`}
      description="Its rows, its statistics and its files are removed for good. Its number, its columns, the digests of its files and what has used its data stay."
      confirmLabel="Purge"
      isPending={purge.isPending}
      error={purge.error}
      size="wide"
      onClose={onClose}
      onConfirm={() =>
        purge.mutate(undefined, {
          onSuccess: () => {
            toast.good(`The data of version ${version.number} is being removed`);
            onClose();
          },
        })
      }
    >
      <QueryView query={uses} rows={1}>
        {({ uses: used }) => <Uses used={used} />}
      </QueryView>
    </ConfirmDialog>
  );
}

/** What was made of the data of a version. */
export function Uses({ used }: { used: DatasetVersion["uses"] }) {
  if (used === null) return <p className="muted">What has used the data is not known at the moment.</p>;
  if (used.totals.length === 0) return <p className="muted">Nothing has used the data.</p>;
  return (
    <>
      <p>The data was used by {totalsText(used.totals)}.</p>
      {used.nodes.length > 0 && <LineageTable caption="Used by" nodes={used.nodes} />}
    </>
  );
}
