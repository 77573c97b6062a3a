import { PlatformError } from "@aiplatform/client";
import { useState } from "react";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { DictionaryRow } from "./dictionary-rows.ts";
import { type Dictionary, useRemoveEntry } from "./use-dictionary.ts";

interface RemoveEntryDialogProps {
  datasetId: string;
  dictionary: Dictionary;
  row: DictionaryRow;
  onClose: () => void;
}

/** Asks before an entry is removed, and shows the text that goes. */
export function RemoveEntryDialog({ datasetId, dictionary, row, onClose }: RemoveEntryDialogProps) {
  const { name, type, description } = row;
  const [override, setOverride] = useState(false);
  const toast = useToast();
  const remove = useRemoveEntry(datasetId);
  const isOfPerson = remove.error instanceof PlatformError && remove.error.code === "text_of_a_person";
  const send = () =>
    remove.mutate(
      { name, etag: dictionary.etag, override },
      {
        onSuccess: () => {
          toast.good(`The entry ${name} is removed`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Remove the entry ${name}`}
      description={
        type === undefined
          ? "The term leaves the dictionary. Its history stays."
          : "The column stays, without an entry. The history of the entry stays, too."
      }
      confirmLabel="Remove entry"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={send}
      onClose={onClose}
    >
      {description && <blockquote className="dictionary-quote">{description}</blockquote>}
      {(isOfPerson || override) && (
        <CheckboxField label="Remove it although a person wrote the text" isChecked={override} onChange={setOverride} />
      )}
    </ConfirmDialog>
  );
}
