import { useState } from "react";
import { isConflict } from "../../api/problems.ts";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Table } from "../../ui/table.tsx";
import { TextDifference } from "../../ui/text-difference.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { type EntryOutcome, outcomesOf, type WantedEntry } from "./dictionary-edits.ts";
import { type Dictionary, useWriteDictionary } from "./use-dictionary.ts";

interface ReviewDialogProps {
  datasetId: string;
  /** The dictionary that the edits were made from. */
  base: Dictionary;
  wanted: readonly WantedEntry[];
  /** What the dry run answered. */
  preview: Dictionary;
  onConflict: () => void;
  onClose: () => void;
  onWritten: () => void;
}

/** Shows what a write would change, as the platform says it, and writes it. */
export function ReviewDialog({ datasetId, base, wanted, preview, onConflict, onClose, onWritten }: ReviewDialogProps) {
  const [override, setOverride] = useState(false);
  const toast = useToast();
  const write = useWriteDictionary(datasetId);
  const outcomes = outcomesOf(base.entries, wanted, preview.entries);
  const kept = outcomes.filter(({ outcome }) => outcome === "kept").length;
  const count = override ? outcomes.length : outcomes.length - kept;
  const send = () =>
    write.mutate(
      { entries: wanted.map(({ entry }) => entry), etag: base.etag, override, dry_run: false },
      {
        onSuccess: () => {
          toast.good(count === 1 ? "1 entry is written" : `${count} entries are written`);
          onWritten();
        },
        onError: (error) => isConflict(error) && onConflict(),
      },
    );
  return (
    <ConfirmDialog
      title="Review the changes"
      description="The platform has checked them. Nothing is written yet."
      confirmLabel={count === 1 ? "Write 1 entry" : `Write ${count} entries`}
      forbidden={count === 0 ? "Nothing would change." : undefined}
      isPending={write.isPending}
      error={write.error}
      onConfirm={send}
      onClose={onClose}
      size="wide"
    >
      <Table caption="Changes" columns={["Entry", "Outcome", "Text"]}>
        {outcomes.map((each) => (
          <tr key={each.name}>
            <td className="dictionary-name">
              <code>{each.name}</code>
            </td>
            <td className="nowrap">{wordOf(each, override)}</td>
            <td className="dictionary-text">
              <TextDifference before={each.before} after={each.after} by="words" />
            </td>
          </tr>
        ))}
      </Table>
      {kept > 0 && (
        <CheckboxField
          label="Replace texts that people wrote"
          hint="You act as a program. Without this, the texts of people stay as they are."
          isChecked={override}
          onChange={setOverride}
        />
      )}
    </ConfirmDialog>
  );
}

function wordOf({ outcome, after }: EntryOutcome, override: boolean): string {
  if (outcome === "kept") return override ? "replaced" : "stays as it is";
  if (outcome === "new") return "new entry";
  return after === "" ? "cleared" : "changed";
}
