import type { UseQueryResult } from "@tanstack/react-query";
import { CircleAlert, Info } from "lucide-react";
import type { CommandPreview } from "../../api/platform.ts";
import { StateChip } from "../../ui/chip.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";

/** What the platform says that a command would lead to; nothing was changed for that. */
export function CommandPreviewNotice({ preview }: { preview: UseQueryResult<CommandPreview> }) {
  if (preview.error) return <ErrorNotice error={preview.error} />;
  if (!preview.data) return <p className="muted">Asking what this would do …</p>;
  const { accepted, detail } = preview.data;
  const Icon = accepted ? Info : CircleAlert;
  return (
    <div className="notice" data-tone={accepted ? undefined : "bad"} role="status">
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        {accepted ? <Outcome preview={preview.data} /> : <p>It would be rejected: {detail}.</p>}
        {accepted && detail && <p className="muted">{detail}</p>}
      </div>
    </div>
  );
}

function Outcome({ preview }: { preview: CommandPreview }) {
  const { projected_state, resulting_state, checkpoint_id, discarded_steps, superseded_sequences } = preview;
  return (
    <>
      <p className="row">
        <StateChip state={projected_state} />
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">becomes</span>
        <StateChip state={resulting_state ?? projected_state} />
      </p>
      <dl>
        {checkpoint_id && (
          <>
            <dt>Checkpoint</dt>
            <dd>
              <code>{checkpoint_id}</code>
            </dd>
          </>
        )}
        {discarded_steps !== null && discarded_steps > 0 && (
          <>
            <dt>Archived</dt>
            <dd>{discarded_steps} steps</dd>
          </>
        )}
        {superseded_sequences.length > 0 && (
          <>
            <dt>Supersedes</dt>
            <dd>commands {superseded_sequences.map((each) => `#${each}`).join(", ")}</dd>
          </>
        )}
      </dl>
    </>
  );
}
