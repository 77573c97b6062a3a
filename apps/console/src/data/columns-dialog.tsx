import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Dataset } from "../api/platform.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { bytesText } from "../ui/numbers.ts";
import { useToast } from "../ui/toasts.tsx";
import { formatOf, maxSampleBytes, readSample } from "./sample-part.ts";
import { useInferColumns } from "./use-datasets.ts";

/** Reads the columns of a dataset from a file. */
export function ColumnsDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const toast = useToast();
  const infer = useInferColumns(dataset.id);
  const send = useMutation({
    mutationFn: async (chosen: File) =>
      await infer.mutateAsync({ format: formatOf(chosen.name), sample: await readSample(chosen) }),
    onSuccess: ({ columns }) => {
      toast.good(`${dataset.name} has the ${columns.length} columns of the file`);
      onClose();
    },
  });
  return (
    <Dialog
      title={`Read the columns of ${dataset.name} from a file`}
      description="The columns become those of the file. New names get an entry in the dictionary. Entries of names that are gone stay, with their texts."
      isOpen
      onClose={onClose}
    >
      <FileField onChange={setFile} file={file} />
      {send.error && <ErrorNotice error={send.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isPending={send.isPending}
          forbidden={file ? undefined : "Choose a file first."}
          onClick={() => file && send.mutate(file)}
        >
          Read columns
        </Button>
      </div>
    </Dialog>
  );
}

function FileField({ file, onChange }: { file: File | undefined; onChange: (file: File | undefined) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        CSV or Parquet file
      </label>
      <input
        id={id}
        type="file"
        className="input"
        accept=".csv,.tsv,.txt,.parquet"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.files?.[0])}
      />
      <span id={`${id}-hint`} className="field-hint">
        {file && file.size > maxSampleBytes
          ? `Of its ${bytesText(file.size)}, ${bytesText(maxSampleBytes)} are sent: ${
              formatOf(file.name) === "csv" ? "the beginning" : "the end, which has the schema"
            }.`
          : "Only the names and types of the columns are kept."}
      </span>
    </div>
  );
}
