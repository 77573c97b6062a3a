import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { TextField } from "../ui/field.tsx";
import { FeatureFields } from "./feature-fields.tsx";
import { type FeatureForm, useCreateFeature } from "./use-features.ts";

const nothing: FeatureForm = { description: "", usage_notes: "", owner_member_id: null, replacement_key: null };

/** Creates a feature. */
export function CreateFeatureDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState("");
  const [form, setForm] = useState(nothing);
  const create = useCreateFeature();
  const navigate = useNavigate();
  const isDirty = key !== "" || JSON.stringify(form) !== JSON.stringify(nothing);
  const submit = () => {
    create.mutate(
      { key, ...form },
      { onSuccess: () => void navigate({ to: "/features/$featureKey", params: { featureKey: key } }) },
    );
  };
  return (
    <Dialog title="New feature" isOpen onClose={onClose} keepsOpen={isDirty} size="wide">
      <DialogForm
        submitLabel="Create feature"
        isPending={create.isPending}
        error={create.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField
          label="Key"
          hint="Its name for programs and templates. It never changes."
          value={key}
          onChange={setKey}
          isRequired
          placeholder="ink_share"
        />
        <FeatureFields form={form} onChange={setForm} />
      </DialogForm>
    </Dialog>
  );
}
