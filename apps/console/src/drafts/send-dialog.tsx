import type { EmailDraft } from "../api/platform.ts";
import { useKnownMembers } from "../members/use-known-members.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { recipientsText, sendingForecast } from "./delivery-texts.ts";
import { useDeliveries, type useSendDraft } from "./use-drafts.ts";

interface SendDialogProps {
  draft: EmailDraft;
  send: ReturnType<typeof useSendDraft>;
  onClose: () => void;
}

/** Asks before a draft goes out. It names the recipients, since a mail cannot be taken back. */
export function SendDialog({ draft, send, onClose }: SendDialogProps) {
  const isFirst = draft.status === "draft";
  const confirm = () => {
    // The page shows how it goes on, and a refusal.
    send.mutate();
    onClose();
  };
  const count = recipientsText(draft.recipient_member_ids.length);
  return (
    <ConfirmDialog
      title={isFirst ? `Send “${draft.subject}” to ${count}` : `Send “${draft.subject}” again`}
      description={
        isFirst
          ? "A mail that was sent cannot be taken back, and the draft cannot be changed afterwards."
          : "It goes to those for whom it failed. No one gets it twice."
      }
      confirmLabel={isFirst ? `Send to ${count}` : "Send again"}
      isPending={send.isPending}
      error={undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isFirst ? <Forecast draft={draft} /> : <FailedCount draft={draft} />}
    </ConfirmDialog>
  );
}

function Forecast({ draft }: { draft: EmailDraft }) {
  const { data: known } = useKnownMembers();
  const { reached, skipped, unknown } = sendingForecast(draft.recipient_member_ids, known?.byId ?? new Map());
  return (
    <dl className="facts" aria-label="What would happen">
      <dt>Get it</dt>
      <dd className="number">{reached}</dd>
      {skipped.not_active > 0 && (
        <>
          <dt>Skipped</dt>
          <dd>{skipped.not_active} not active</dd>
        </>
      )}
      {skipped.opted_out > 0 && (
        <>
          <dt>Skipped</dt>
          <dd>{skipped.opted_out} opted out of e-mails</dd>
        </>
      )}
      {skipped.address_repeated > 0 && (
        <>
          <dt>Skipped</dt>
          <dd>{skipped.address_repeated} with an address that comes before</dd>
        </>
      )}
      {unknown > 0 && (
        <>
          <dt>Not known</dt>
          <dd>{unknown}: the platform looks them up when it sends</dd>
        </>
      )}
    </dl>
  );
}

function FailedCount({ draft }: { draft: EmailDraft }) {
  const failed = useDeliveries(draft, "failed");
  if (!failed.data) return null;
  const count = `${recipientsText(failed.data.length)}${failed.hasNextPage ? " or more" : ""}`;
  return <p>It failed for {count}. Those whose result is unknown are not tried again.</p>;
}
