import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "../api/problems.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
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
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
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
        {create.error && <ErrorNotice error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isPending={create.isPending}
            forbidden={name.trim() === "" ? "Type a name first." : undefined}
          >
            Create dataset
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
