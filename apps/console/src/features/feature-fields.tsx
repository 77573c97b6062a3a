import { MemberField } from "../members/member-field.tsx";
import { TextField } from "../ui/field.tsx";
import type { FeatureForm } from "./use-features.ts";

interface FeatureFieldsProps {
  form: FeatureForm;
  onChange: (form: FeatureForm) => void;
}

/** What a feature says. */
export function FeatureFields({ form, onChange }: FeatureFieldsProps) {
  return (
    <>
      <TextField
        label="Description"
        hint="What it is."
        value={form.description}
        onChange={(description) => onChange({ ...form, description })}
        isLong
      />
      <TextField
        label="Usage notes"
        hint="How to use it."
        value={form.usage_notes}
        onChange={(usage_notes) => onChange({ ...form, usage_notes })}
        isLong
      />
      <div className="form-grid">
        <MemberField
          label="Owner"
          none="no owner"
          value={form.owner_member_id}
          onChange={(owner_member_id) => onChange({ ...form, owner_member_id })}
        />
        <TextField
          label="Replacement"
          hint="The key to use instead, when this one is deprecated."
          value={form.replacement_key ?? ""}
          onChange={(key) => onChange({ ...form, replacement_key: key === "" ? null : key })}
        />
      </div>
    </>
  );
}
