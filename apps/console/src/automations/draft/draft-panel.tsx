import { useState } from "react";
import type { Automation, AutomationVersionEntry } from "../../api/platform.ts";
import { isConflict, problemsOf } from "../../api/problems.ts";
import { useForbidden } from "../../api/session.ts";
import { LeaveGuard } from "../../shell/leave-guard.tsx";
import { Button } from "../../ui/button.tsx";
import { ChangeBar } from "../../ui/change-bar.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { usePublishedVersion } from "../queries/use-automations.ts";
import { type Draft, noDraftTag, useDraft, useSaveDraft } from "../queries/use-draft.ts";
import { DraftConflict } from "./draft-conflict.tsx";
import { DraftFields } from "./draft-fields.tsx";
import { type DraftForm, type DraftProblems, draftForm, problemsByField, readDraft } from "./draft-form.ts";
import { PublishDialog } from "./publish-dialog.tsx";

/** The draft of an automation: edited, saved and published. Without a draft it begins with what is published. */
export function DraftPanel({ automation }: { automation: Automation }) {
  const draft = useDraft(automation.id);
  const published = usePublishedVersion(automation);
  const isReady = automation.current_version === null || published.data !== undefined;
  return (
    <QueryView query={draft}>
      {(data) =>
        isReady ? (
          <DraftEditor
            automation={automation}
            draft={data}
            published={published.data ?? undefined}
            onRead={() => draft.refetch()}
          />
        ) : (
          <QueryView query={published}>{() => null}</QueryView>
        )
      }
    </QueryView>
  );
}

interface DraftEditorProps {
  automation: Automation;
  /** As it is now; null: there is none. */
  draft: Draft | null;
  published: AutomationVersionEntry | undefined;
  /** Reads it again. */
  onRead: () => Promise<{ data: Draft | null | undefined }>;
}

/** What the form begins with. */
interface Base {
  form: DraftForm;
  /** Of the draft that saving replaces. */
  etag: string;
  /** Names what the form was made from. */
  origin: string;
}

const originOf = ({ draft, published }: Pick<DraftEditorProps, "draft" | "published">): string =>
  draft?.etag ?? published?.version.id ?? "";

function baseOf({ draft, published }: Pick<DraftEditorProps, "draft" | "published">): Base {
  const form = draftForm(draft?.entry ?? published, () => crypto.randomUUID());
  return { form, etag: draft?.etag ?? noDraftTag, origin: originOf({ draft, published }) };
}

const noProblems: DraftProblems = new Map();

function DraftEditor({ automation, draft, published, onRead }: DraftEditorProps) {
  const [base, setBase] = useState(() => baseOf({ draft, published }));
  const [form, setForm] = useState<DraftForm>();
  const [unread, setUnread] = useState(noProblems);
  const [isPublishing, setIsPublishing] = useState(false);
  const toast = useToast();
  const save = useSaveDraft(automation.id);
  const shown = form ?? base.form;
  const begin = (next: Draft | null) => {
    setBase(baseOf({ draft: next, published }));
    setForm(undefined);
    setUnread(noProblems);
    save.reset();
  };
  // A change of someone else is shown at once while nothing here would be lost by it.
  if (form === undefined && base.origin !== originOf({ draft, published })) setBase(baseOf({ draft, published }));
  const submit = (etag: string) => {
    const read = readDraft(shown);
    setUnread("problems" in read ? read.problems : noProblems);
    if ("problems" in read) return;
    save.mutate(
      { body: read.body, etag },
      {
        onSuccess: (saved) => {
          begin(saved);
          toast.good("The draft is saved");
        },
      },
    );
  };
  const hasConflict = isConflict(save.error);
  const problems = new Map([...problemsByField(problemsOf(save.error)), ...unread]);
  return (
    <div className="stack">
      <DraftHead draft={draft} published={published} />
      {hasConflict && <DraftConflict form={shown} onRead={onRead} onKeep={submit} onDrop={begin} />}
      <DraftFields form={shown} problems={problems} onChange={setForm} />
      {save.error && !hasConflict && <ErrorNotice error={save.error} />}
      <DraftBar
        isDirty={form !== undefined}
        hasDraft={draft !== null}
        isPending={save.isPending}
        onSave={() => submit(base.etag)}
        onDiscard={() => begin(draft)}
        onPublish={() => setIsPublishing(true)}
      />
      <LeaveGuard isDirty={form !== undefined} what="the draft" />
      {isPublishing && (
        <PublishDialog automation={automation} published={published} onClose={() => setIsPublishing(false)} />
      )}
    </div>
  );
}

function DraftHead({ draft, published }: Pick<DraftEditorProps, "draft" | "published">) {
  if (draft)
    return <p className="muted">Revision {draft.entry.revision}. What is published stays until you publish this.</p>;
  if (published)
    return <p className="muted">There is no draft. It begins with what is published; saving makes the draft.</p>;
  return <p className="muted">There is no draft yet. Saving makes it.</p>;
}

interface DraftBarProps {
  isDirty: boolean;
  hasDraft: boolean;
  isPending: boolean;
  onSave: () => void;
  onDiscard: () => void;
  onPublish: () => void;
}

function DraftBar({ isDirty, hasDraft, isPending, onSave, onDiscard, onPublish }: DraftBarProps) {
  const forbidden = useForbidden("automations:write");
  const objection = isDirty ? "Save the draft first." : hasDraft ? undefined : "There is no draft to publish.";
  return (
    <ChangeBar label="Draft" text={isDirty ? "The draft has changes, not saved" : "No changes"}>
      {isDirty && <Button onClick={onDiscard}>Discard</Button>}
      <Button
        isPending={isPending}
        forbidden={forbidden ?? (isDirty ? undefined : "Change something first.")}
        onClick={onSave}
      >
        Save draft
      </Button>
      <Button kind="primary" forbidden={forbidden ?? objection} onClick={onPublish}>
        Review and publish
      </Button>
    </ChangeBar>
  );
}
