import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "../api/problems.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { TextField } from "../ui/field.tsx";
import { columnTypes, readColumns } from "./new-dataset.ts";
import { useCreateDataset } from "./use-datasets.ts";

/** Creates a dataset, and goes to its page. */
export function CreateDatasetDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [columns, setColumns] = useState("");
  const navigate = useNavigate();
  const create = useCreateDataset();
  const submit = () =>
    create.mutate(
      { name: name.trim(), description: description.trim(), columns: readColumns(columns) },
      { onSuccess: ({ id }) => void navigate({ to: "/data/$datasetId", params: { datasetId: id } }) },
    );
  return (
    <Dialog
      title="New dataset"
      description="A dataset names the columns of your data. The data itself stays where it is."
      isOpen
      onClose={onClose}
    >
      <DialogForm
        submitLabel="Create dataset"
        forbidden={name.trim() === "" ? "Type a name first." : undefined}
        isPending={create.isPending}
        error={create.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField label="Name" value={name} onChange={setName} error={problemOf(create.error, "name")} isRequired />
        <TextField
          label="Description"
          value={description}
          onChange={setDescription}
          error={problemOf(create.error, "description")}
          isLong
          isProse
        />
        <TextField
          label="Columns"
          hint={`One a line, as name or name: type. Types: ${columnTypes}. You can also have them read from a file later.`}
          placeholder={"order_id: integer\nplaced_at: date_time\nlate: boolean"}
          value={columns}
          onChange={setColumns}
          error={problemOf(create.error, "columns")}
          isLong
        />
      </DialogForm>
    </Dialog>
  );
}
