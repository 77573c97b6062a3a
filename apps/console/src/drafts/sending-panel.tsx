import { useEffect, useState } from "react";
import { type EmailDraft, type SendingProgress, streams } from "../api/platform.ts";
import { useEvents } from "../api/use-events.ts";
import { Meter } from "../ui/meter.tsx";
import { Panel } from "../ui/panel.tsx";
import { recipientsText } from "./delivery-texts.ts";

/** How a sending goes, as the platform streams it. */
export function SendingPanel({ draft: { id: draft_id, status, recipient_member_ids } }: { draft: EmailDraft }) {
  const [progress, setProgress] = useState<SendingProgress>();
  const [round, setRound] = useState(0);
  const state = useEvents<SendingProgress>({
    // Before the platform says that it sends, the stream has one event and ends.
    key: status === "sending" ? `${draft_id} ${round}` : undefined,
    open: (signal) => streams.events("/platform/email-drafts/{draft_id}/progress", { path: { draft_id } }, signal),
    onEvent: setProgress,
  });
  const isCutShort = state === "ended" && progress?.status === "sending";
  // A replica that stops ends its streams: another one goes on with the sending.
  useEffect(() => {
    if (isCutShort) setRound((before) => before + 1);
  }, [isCutShort]);
  const total = progress?.recipient_count || recipient_member_ids.length;
  const settled = progress ? total - progress.pending_count : 0;
  return (
    <Panel title="Sending">
      <div className="stack-tight" role="status">
        <Meter share={total === 0 ? 0 : settled / total} />
        <p className="number">
          {progress
            ? `${settled} of ${recipientsText(total)}: ${progress.sent_count} sent, ${progress.failed_count} failed or unknown, ${progress.skipped_count} skipped`
            : `Asking the mail server for ${recipientsText(total)}`}
        </p>
      </div>
    </Panel>
  );
}
