import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "../api/problems.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { TextField } from "../ui/field.tsx";
import { useCreateAutomation } from "./queries/use-automations.ts";

/** Creates an automation, and goes to its draft. */
export function CreateAutomationDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const navigate = useNavigate();
  const create = useCreateAutomation();
  const submit = () =>
    create.mutate(
      { name: name.trim(), description: description.trim() },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/automations/$automationId", params: { automationId: id }, search: { tab: "draft" } }),
      },
    );
  return (
    <Dialog
      title="New automation"
      description="It has no steps at first. You write them as a draft, and publish the draft."
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
        {create.error && <ErrorNotice error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isPending={create.isPending}
            forbidden={name.trim() === "" ? "Type a name first." : undefined}
          >
            Create automation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
