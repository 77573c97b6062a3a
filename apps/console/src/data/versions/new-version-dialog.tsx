import { useId, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { bytesText } from "../../ui/numbers.ts";
import { useToast } from "../../ui/toasts.tsx";
import { acceptedFiles, kindOf, maxFileBytes } from "./data-file.ts";
import { useCreateVersion } from "./use-versions.ts";

interface NewVersionDialogProps {
  datasetId: string;
  onCreated: (versionId: string) => void;
  onClose: () => void;
}

/** Uploads files and makes a version of them. */
export function NewVersionDialog({ datasetId, onCreated, onClose }: NewVersionDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [description, setDescription] = useState("");
  const toast = useToast();
  const create = useCreateVersion(datasetId);
  const submit = () =>
    create.mutate(
      { files, description: description.trim() },
      {
        onSuccess: ({ id, number }) => {
          toast.good(`Version ${number} is being read`);
          onCreated(id);
        },
      },
    );
  return (
    <Dialog
      title="New version"
      description="The files are uploaded and read in the order of their names. A version never changes."
      isOpen
      onClose={onClose}
      keepsOpen={files.length > 0 || description !== ""}
    >
      <DialogForm
        submitLabel="Create version"
        forbidden={whyNot(files)}
        isPending={create.isPending}
        error={create.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <FilesField files={files} onChange={setFiles} />
        <TextField label="Description" value={description} onChange={setDescription} isLong />
      </DialogForm>
    </Dialog>
  );
}

/** Why these files make no version. */
function whyNot(files: readonly File[]): string | undefined {
  if (files.length === 0) return "Choose a file first.";
  const unknown = files.find(({ name }) => kindOf(name) === undefined);
  if (unknown) return `${unknown.name} is no CSV, JSON lines, Parquet or Arrow file by its name.`;
  const large = files.find(({ size }) => size > maxFileBytes);
  return large && `${large.name} has more than ${bytesText(maxFileBytes)}. Upload it by the command line.`;
}

function FilesField({ files, onChange }: { files: readonly File[]; onChange: (files: readonly File[]) => void }) {
  const id = useId();
  const choose = (chosen: FileList | null) =>
    onChange([...(chosen ?? [])].toSorted((one, other) => one.name.localeCompare(other.name)));
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Files
      </label>
      <input
        id={id}
        type="file"
        className="input"
        multiple
        accept={acceptedFiles}
        aria-describedby={`${id}-hint`}
        onChange={(event) => choose(event.target.files)}
      />
      <span id={`${id}-hint`} className="field-hint">
        {files.length > 1
          ? `${files.length} files with the same columns, ${bytesText(files.reduce((sum, { size }) => sum + size, 0))}.`
          : "CSV, JSON lines, Parquet or Arrow. Several files have the same columns."}
      </span>
    </div>
  );
}
