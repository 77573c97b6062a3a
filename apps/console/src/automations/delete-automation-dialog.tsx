import { useNavigate } from "@tanstack/react-router";
import type { Automation } from "../api/platform.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useToast } from "../ui/toasts.tsx";
import { useDeleteAutomation, useVersions } from "./queries/use-automations.ts";
import { useRunsUnderWay } from "./queries/use-runs-of-automation.ts";

/** Says what goes with an automation, and deletes it. */
export function DeleteAutomationDialog({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const { id, name } = automation;
  const navigate = useNavigate();
  const toast = useToast();
  const underWay = useRunsUnderWay(id);
  const versions = useVersions(id);
  const remove = useDeleteAutomation(id);
  const done = () => {
    toast.good(`${name} is deleted`);
    void navigate({ to: "/automations" });
  };
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      description="The automation goes with its draft, its versions and all its runs. What its runs have made stays. This cannot be undone."
      confirmLabel="Delete automation"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>Versions</dt>
        <dd>
          <QueryView query={versions} rows={1}>
            {(all) => <span className="number">{all.length}</span>}
          </QueryView>
        </dd>
        <dt>Runs under way</dt>
        <dd>
          <QueryView query={underWay} rows={1}>
            {(count) => <span className="number">{count === 0 ? "none" : `${count}, which are ended`}</span>}
          </QueryView>
        </dd>
      </dl>
    </ConfirmDialog>
  );
}
