import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { NameFields } from "../ui/name-fields.tsx";
import { useCreateAutomation } from "./queries/use-automations.ts";

/** Creates an automation, and goes to its draft. */
export function CreateAutomationDialog({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState({ name: "", description: "" });
  const navigate = useNavigate();
  const create = useCreateAutomation();
  const submit = () =>
    create.mutate(
      { name: form.name.trim(), description: form.description.trim() },
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
      keepsOpen={form.name !== "" || form.description !== ""}
    >
      <DialogForm
        submitLabel="Create automation"
        forbidden={form.name.trim() === "" ? "Type a name first." : undefined}
        isPending={create.isPending}
        error={create.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <NameFields form={form} onChange={setForm} error={create.error} />
      </DialogForm>
    </Dialog>
  );
}
