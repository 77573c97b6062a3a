import { type FormEvent, useEffect } from "react";
import type { EmailDraft } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { LeaveGuard } from "../shell/leave-guard.tsx";
import { useSavedForm } from "../shell/use-stored-form.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { SaveError } from "../ui/save-error.tsx";
import { RecipientsField } from "./recipients-field.tsx";
import { type DraftForm, useSaveDraft } from "./use-drafts.ts";

const formOf = (draft: EmailDraft | undefined): DraftForm => ({
  subject: draft?.subject ?? "",
  text: draft?.text ?? "",
  html: draft?.html ?? "",
  recipient_member_ids: draft?.recipient_member_ids ?? [],
});

interface DraftEditorProps {
  draft: EmailDraft | undefined;
  onSaved: (draft: EmailDraft) => void;
  onDirty?: (isDirty: boolean) => void;
}

/** Writes a draft. */
export function DraftEditor({ draft, onSaved, onDirty }: DraftEditorProps) {
  const { base, form, setForm, isDirty, take, keep, save } = useSavedForm(draft, formOf, useSaveDraft);
  const forbidden = useForbidden("emails:write");
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form, {
      onSuccess: (saved) => {
        if (draft) take(saved);
        onSaved(saved);
      },
    });
  };
  return (
    <Panel title="Message">
      <form className="stack" onSubmit={submit}>
        <MessageFields form={form} onChange={setForm} />
        <RecipientsField
          chosen={form.recipient_member_ids}
          onChange={(recipient_member_ids) => setForm({ ...form, recipient_member_ids })}
        />
        <SaveError error={save.error} onTake={take} onKeep={keep} />
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            isPending={save.isPending}
            forbidden={forbidden ?? (isDirty ? undefined : "There is nothing to save.")}
          >
            {draft ? "Save draft" : "Create draft"}
          </Button>
          {isDirty && base && <Button onClick={() => take(base)}>Reset</Button>}
        </div>
      </form>
      <LeaveGuard isDirty={isDirty} what="the draft" />
    </Panel>
  );
}

function MessageFields({ form, onChange }: { form: DraftForm; onChange: (form: DraftForm) => void }) {
  return (
    <>
      <TextField
        label="Subject"
        hint="Subject, text and HTML are Liquid templates. They know member.display_name and member.email."
        value={form.subject}
        onChange={(subject) => onChange({ ...form, subject })}
        isRequired
        placeholder="News, {{ member.display_name }}"
      />
      <TextField label="Text" value={form.text} onChange={(text) => onChange({ ...form, text })} isLong />
      <TextField
        label="HTML"
        hint="Empty: the message is text only."
        value={form.html}
        onChange={(html) => onChange({ ...form, html })}
        isLong
      />
    </>
  );
}
