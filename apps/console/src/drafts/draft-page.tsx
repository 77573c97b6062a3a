import "./drafts.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useState } from "react";
import type { EmailDraft } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { MemberName } from "../members/member-name.tsx";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Time } from "../ui/time.tsx";
import { useToast } from "../ui/toasts.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { DraftEditor } from "./draft-editor.tsx";
import { changeObjection, sendObjection } from "./draft-rules.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { SendingPanel } from "./sending-panel.tsx";
import { useDeleteDraft, useDraft, useSendDraft } from "./use-drafts.ts";

const route = getRouteApi("/shell/drafts/$draftId");

/** A draft: what it says and to whom, how it looks, and what became of each recipient. */
export function DraftPage() {
  const { draftId } = route.useParams();
  const [isDirty, setIsDirty] = useState(false);
  const send = useSendDraft(draftId);
  const draft = useDraft(draftId, send.isPending);
  return (
    <Page
      title={draft.data?.subject ?? "Draft"}
      trail={<Link to="/drafts">Drafts</Link>}
      actions={draft.data && <DraftActions draft={draft.data} isDirty={isDirty} send={send} />}
    >
      <Allowed permission="emails:write">
        <QueryView query={draft}>
          {(data) => <DraftView draft={data} send={send} isDirty={isDirty} onDirty={setIsDirty} />}
        </QueryView>
      </Allowed>
    </Page>
  );
}

interface DraftViewProps {
  draft: EmailDraft;
  send: ReturnType<typeof useSendDraft>;
  isDirty: boolean;
  onDirty: (isDirty: boolean) => void;
}

function DraftView({ draft, send, isDirty, onDirty }: DraftViewProps) {
  const toast = useToast();
  return (
    <>
      <p className="row" role="status">
        <StateChip state={draft.status} />
        {draft.sent_at !== null && (
          <span className="muted">
            sending ended <Time at={draft.sent_at} />
          </span>
        )}
      </p>
      {send.error && <ErrorNotice error={send.error} />}
      {(draft.status === "sending" || send.isPending) && <SendingPanel draft={draft} />}
      <div className="page-columns">
        <div className="stack">
          {draft.status !== "draft" && <DeliveriesPanel draft={draft} />}
          {/* What was typed stays, also when someone else has sent the draft meanwhile. */}
          {(draft.status === "draft" || isDirty) && (
            <DraftEditor
              key={draft.id}
              draft={draft}
              onSaved={() => toast.good("The draft is saved.")}
              onDirty={onDirty}
            />
          )}
        </div>
        <div className="stack">
          <PreviewPanel draft={draft} />
          <FactsPanel draft={draft} />
        </div>
      </div>
    </>
  );
}

interface DraftActionsProps {
  draft: EmailDraft;
  isDirty: boolean;
  send: ReturnType<typeof useSendDraft>;
}

function DraftActions({ draft, isDirty, send }: DraftActionsProps) {
  const [asked, setAsked] = useState<"send" | "delete">();
  const sendForbidden = useForbidden("emails:send");
  const writeForbidden = useForbidden("emails:write");
  const unsaved = isDirty ? "Save your changes first." : undefined;
  const close = () => setAsked(undefined);
  return (
    <>
      <Button forbidden={writeForbidden ?? changeObjection(draft.status)} onClick={() => setAsked("delete")}>
        Delete
      </Button>
      <Button
        kind="primary"
        forbidden={sendForbidden ?? writeForbidden ?? sendObjection(draft) ?? unsaved}
        isPending={send.isPending}
        onClick={() => setAsked("send")}
      >
        <Send size={15} aria-hidden="true" />
        {draft.status === "draft" ? "Send" : "Send again"}
      </Button>
      {asked === "send" && <SendDialog draft={draft} send={send} onClose={close} />}
      {asked === "delete" && <DeleteDialog draft={draft} onClose={close} />}
    </>
  );
}

function DeleteDialog({ draft, onClose }: { draft: EmailDraft; onClose: () => void }) {
  const remove = useDeleteDraft();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Delete “${draft.subject}”`}
      description="It was not sent to anyone. A deleted draft does not come back."
      confirmLabel="Delete draft"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(draft.id, { onSuccess: () => void navigate({ to: "/drafts", ignoreBlocker: true }) })
      }
      onClose={onClose}
    />
  );
}

function FactsPanel({ draft }: { draft: EmailDraft }) {
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>Written by</dt>
        <dd>{draft.created_by_member_id === null ? "a program" : <MemberName id={draft.created_by_member_id} />}</dd>
        <dt>Revision</dt>
        <dd className="number">{draft.revision}</dd>
        <dt>Changed</dt>
        <dd>
          <Time at={draft.updated_at} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={draft.created_at} />
        </dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={draft.id} />
        </dd>
      </dl>
    </Panel>
  );
}
