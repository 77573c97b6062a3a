import { Link, useNavigate } from "@tanstack/react-router";
import type { Automation, Dataset } from "../api/platform.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useToast } from "../ui/toasts.tsx";
import { useDictionary } from "./dictionary/use-dictionary.ts";
import { useAutomationsUsing, useDeleteDataset } from "./use-datasets.ts";

/** Says what goes with a dataset and what uses it, and deletes it. */
export function DeleteDatasetDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const navigate = useNavigate();
  const toast = useToast();
  const dictionary = useDictionary(dataset.id);
  const remove = useDeleteDataset(dataset.id);
  const done = () => {
    toast.good(`${dataset.name} is deleted`);
    void navigate({ to: "/data" });
  };
  return (
    <ConfirmDialog
      title={`Delete ${dataset.name}`}
      description="The dataset goes with its dictionary and the history of it. This cannot be undone. Your data stays where it is."
      confirmLabel="Delete dataset"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    >
      <QueryView query={dictionary} rows={1}>
        {({ entries }) => (
          <dl className="facts">
            <dt>Columns</dt>
            <dd className="number">{dataset.columns.length}</dd>
            <dt>Entries</dt>
            <dd className="number">
              {entries.length}, {entries.filter(({ description }) => description !== "").length} with a text
            </dd>
            <dt>Used by</dt>
            <dd>
              <Uses datasetId={dataset.id} />
            </dd>
          </dl>
        )}
      </QueryView>
    </ConfirmDialog>
  );
}

function Uses({ datasetId }: { datasetId: string }) {
  const uses = useAutomationsUsing(datasetId);
  const deployments = "The platform asks the deployments when you delete it.";
  if (!uses.isEnabled) return <>You may not read automations. {deployments}</>;
  return (
    <QueryView query={uses} rows={1}>
      {(automations) => (
        <>
          {automations.length === 0 ? "No published automation. " : <Automations automations={automations} />}
          {deployments} A dataset in use is not deleted.
        </>
      )}
    </QueryView>
  );
}

function Automations({ automations }: { automations: readonly Automation[] }) {
  return (
    <ul>
      {automations.map(({ id, name }) => (
        <li key={id}>
          <Link to="/automations/$automationId" params={{ automationId: id }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
