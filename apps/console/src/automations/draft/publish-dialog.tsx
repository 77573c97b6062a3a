import { Check, CircleAlert } from "lucide-react";
import { useState } from "react";
import type { Automation, AutomationVersionEntry } from "../../api/platform.ts";
import { isConflict } from "../../api/problems.ts";
import { useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { type Draft, useDraft, usePublish } from "../queries/use-draft.ts";
import { VersionDifferenceView } from "../versions/version-difference-view.tsx";

interface PublishDialogProps {
  automation: Automation;
  published: AutomationVersionEntry | undefined;
  onClose: () => void;
}

/** Shows the saved draft once more, with what it may do in the publisher's name, and publishes what was shown. */
export function PublishDialog({ automation, published, onClose }: PublishDialogProps) {
  const draft = useDraft(automation.id);
  if (draft.data)
    return (
      <Review
        automation={automation}
        published={published}
        draft={draft.data}
        onRead={draft.refetch}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={`Publish ${automation.name}`} isOpen onClose={onClose}>
      <QueryView query={draft}>{() => <Empty title="There is no draft to publish" />}</QueryView>
    </Dialog>
  );
}

interface ReviewProps extends PublishDialogProps {
  draft: Draft;
  onRead: () => Promise<unknown>;
}

function Review({ automation, published, draft, onRead, onClose }: ReviewProps) {
  const toast = useToast();
  const publish = usePublish(automation.id);
  const missing = useMissingPermissions(draft.entry);
  const [wasChanged, setWasChanged] = useState(false);
  // A promise, because this dialog is gone when the page shows what was published.
  const send = () =>
    publish.mutateAsync(draft.etag).then(
      ({ delegated_permission_ids: ids }) => {
        toast.good(ids.length === 0 ? "It is published" : `It is published, and may use ${ids.join(", ")}`);
        onClose();
      },
      (error: unknown) => {
        if (!isConflict(error)) return;
        setWasChanged(true);
        void onRead();
      },
    );
  const hasConflict = isConflict(publish.error);
  return (
    <ConfirmDialog
      title={`Publish revision ${draft.entry.revision} of ${automation.name}`}
      description="Runs that begin from now on use it. Runs that are under way keep their version."
      confirmLabel="Publish"
      forbidden={missing.length > 0 ? `You lack ${missing.join(", ")}, which it needs.` : undefined}
      isPending={publish.isPending}
      error={hasConflict ? null : publish.error}
      onConfirm={() => void send()}
      onClose={onClose}
      size="wide"
    >
      {wasChanged && (
        <div className="notice" data-tone="warn" role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          <p>
            Someone else has changed the draft while you read. Nothing was published. Below is the draft as it is now.
          </p>
        </div>
      )}
      <Delegation entry={draft.entry} missing={missing} />
      <VersionDifferenceView before={published} after={draft.entry} />
    </ConfirmDialog>
  );
}

/** Permissions that a version needs and the viewer does not have: who publishes gives them. */
function useMissingPermissions({ permission_ids }: AutomationVersionEntry): string[] {
  const { data: session } = useSession();
  const own = new Set(session?.permission_ids);
  return permission_ids.filter((id) => !own.has(id));
}

function Delegation({ entry, missing }: { entry: AutomationVersionEntry; missing: readonly string[] }) {
  const { permission_ids: ids } = entry;
  return (
    <section className="stack-tight" aria-label="What it may do">
      <h3>What it may do in your name</h3>
      {ids.length === 0 ? (
        <p className="muted">Its steps need no permission.</p>
      ) : (
        <ul className="permission-list">
          {ids.map((id) => (
            <li key={id} className="row">
              {missing.includes(id) ? (
                <CircleAlert size={14} className="state-icon" data-tone="bad" aria-hidden="true" />
              ) : (
                <Check size={14} className="state-icon" data-tone="good" aria-hidden="true" />
              )}
              <code>{id}</code>
              {missing.includes(id) && <span className="error-text small">you do not have it</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
