import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ConflictNotice } from "../../ui/conflict-notice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextDifference } from "../../ui/text-difference.tsx";
import { type Draft, noDraftTag } from "../queries/use-draft.ts";
import { type DraftForm, draftForm } from "./draft-form.ts";

interface DraftConflictProps {
  /** What the viewer has typed. */
  form: DraftForm;
  /** Reads the draft again. */
  onRead: () => Promise<{ data: Draft | null | undefined }>;
  /** Saves what was typed in place of the draft with this entity tag. */
  onKeep: (etag: string) => void;
  /** Goes on with this draft, without what was typed. */
  onDrop: (latest: Draft | null) => void;
}

/** The draft was changed elsewhere: shows what is different, and lets the viewer choose. */
export function DraftConflict({ form, onRead, onKeep, onDrop }: DraftConflictProps) {
  const [latest, setLatest] = useState<Draft | null>();
  const compare = async () => {
    const { data } = await onRead();
    setLatest(data);
  };
  return (
    <>
      <ConflictNotice what="the draft">
        <Button size="small" onClick={() => void compare()}>
          Compare with mine
        </Button>
      </ConflictNotice>
      {latest !== undefined && (
        <Dialog
          title="The draft was changed"
          description="Removed lines are what is saved now. Added lines are yours."
          isOpen
          onClose={() => setLatest(undefined)}
          size="wide"
        >
          <TextDifference before={textOf(latest)} after={text(form)} by="lines" />
          <div className="dialog-actions">
            <Button onClick={() => setLatest(undefined)}>Decide later</Button>
            <Button onClick={() => onDrop(latest)}>Take what is saved</Button>
            <Button
              kind="danger"
              onClick={() => {
                setLatest(undefined);
                onKeep(latest?.etag ?? noDraftTag);
              }}
            >
              Save mine in its place
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const textOf = (draft: Draft | null) => (draft ? text(draftForm(draft.entry, () => "")) : "");

/** A draft as lines, without what only the page knows. */
function text({ steps, transitions, event, when }: DraftForm): string {
  const lines = [
    ...steps.flatMap(({ key, name, template, features }) => [
      `step ${key}: ${name}`,
      ...(features === "" ? [] : [`features: ${features}`]),
      ...template.split("\n"),
    ]),
    ...transitions.map(({ source, target, label }) => `${source} – ${label} → ${target}`),
    ...(event === "" ? [] : [`starts at ${event}`, ...(when === "" ? [] : [`when ${when}`])]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
