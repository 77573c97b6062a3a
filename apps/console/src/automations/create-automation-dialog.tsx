import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "../api/problems.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
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
      <DialogForm
        submitLabel="Create automation"
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
      </DialogForm>
    </Dialog>
  );
}
