import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "../api/problems.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { TextField } from "../ui/field.tsx";
import { NameFields } from "../ui/name-fields.tsx";
import { columnTypes, readColumns } from "./new-dataset.ts";
import { useCreateDataset } from "./use-datasets.ts";

/** Creates a dataset, and goes to its page. */
export function CreateDatasetDialog({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState({ name: "", description: "" });
  const [columns, setColumns] = useState("");
  const navigate = useNavigate();
  const create = useCreateDataset();
  const submit = () =>
    create.mutate(
      { name: form.name.trim(), description: form.description.trim(), columns: readColumns(columns) },
      { onSuccess: ({ id }) => void navigate({ to: "/data/$datasetId", params: { datasetId: id } }) },
    );
  return (
    <Dialog
      title="New dataset"
      description="A dataset names the columns of your data. Its data comes in versions, which you add on its page."
      isOpen
      onClose={onClose}
      keepsOpen={form.name !== "" || form.description !== "" || columns !== ""}
    >
      <DialogForm
        submitLabel="Create dataset"
        forbidden={form.name.trim() === "" ? "Type a name first." : undefined}
        isPending={create.isPending}
        error={create.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <NameFields form={form} onChange={setForm} error={create.error} />
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
